import { matchesFilter, type ScanFilter } from '../state/job-scan.js';
import type { JobTable } from '../state/job-table.js';

/** Ids of all jobs that match now, the oldest first. Exact: jobs that change afterwards change nothing about it. */
export function selectedIds(table: JobTable, filter: ScanFilter): Float64Array {
  const { columns } = table;
  let ids = new Float64Array(1024);
  let count = 0;
  table.ids.walkDown(table.nextId, filter.state, (slot) => {
    if (!matchesFilter(table, filter, slot)) return true;
    if (count === ids.length) {
      const longer = new Float64Array(count * 2);
      longer.set(ids);
      ids = longer;
    }
    ids[count++] = columns.id[slot]!;
    return true;
  });
  return ids.subarray(0, count).reverse();
}
