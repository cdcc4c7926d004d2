import type { BusyRow } from '@holdfast/sql-store';
import { insertRows, updating } from '../insert-rows.js';
import { sql } from '../sql-text.js';
import { momentOf } from '../work.js';
import type { Step } from './step.js';

export const tellWorkers: Step<'tellWorkers'> = {
  scope: 'separately',
  async run(work, [process_id, workers, forgottenMs]) {
    const { atMs } = await momentOf(work);
    const row = { process_id, workers, told_at_ms: atMs };
    await insertRows(work, 'hf.crew', [row], updating(['workers', 'told_at_ms']));
    await work.rows(sql`delete from hf.crew where told_at_ms < ${atMs - forgottenMs}`);
    return [];
  },
};

export const crews: Step<'crews'> = {
  scope: 'separately',
  run: (work, [processId]) =>
    work.rows<{ workers: string; told_at_ms: number }>(
      sql`select workers, told_at_ms from hf.crew where process_id <> ${processId}`,
    ),
};

type RowOfBusy = Omit<BusyRow, 'queues'> & { readonly queues: string };

export const busyWorkers: Step<'busyWorkers'> = {
  scope: 'separately',
  async run(work) {
    const rows = await work.rows<RowOfBusy>(sql`
      select w.worker, cast(sum(w.busy) as signed) as busy, cast(json_arrayagg(w.queue) as char) as queues, max(w.leased_at_ms) as leased_at_ms, ${work.now} as at_ms
      from (
        select l.worker, q.name as queue, count(*) as busy, max(l.leased_at_ms) as leased_at_ms
        from hf.lease l join hf.queue q on q.id = l.queue_id group by l.worker, q.name) w
      group by w.worker
      union all select null, 0, '[]', 0, ${work.now}`);
    return rows.map((row) => ({ ...row, queues: JSON.parse(row.queues) as string[] }));
  },
};
