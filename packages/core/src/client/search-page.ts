import type { Clock, JobRow, Page, PageRequest } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';

/** Of one page, whatever its `scanMax` is: then it is given as far as it has come. */
const SEARCH_MS_MAX = 250;

/**
 * A page from the slices in which the engine searches. Between two of them it does what others want of it. A page that needs no search is
 * one slice.
 */
export async function searchPage(
  slice: (page: PageRequest) => Promise<Page<JobRow>>,
  { limit, cursor, scanMax = STORE_LIMITS.pageScanDefault }: PageRequest,
  clock: Pick<Clock, 'monotonicMs'>,
): Promise<Page<JobRow>> {
  const untilMs = clock.monotonicMs() + SEARCH_MS_MAX;
  const rows: JobRow[] = [];
  let scanned = 0;
  let next = cursor;
  for (;;) {
    const part = await slice({
      limit: limit - rows.length,
      scanMax: scanMax - scanned,
      ...(next === undefined ? {} : { cursor: next }),
    });
    if (part.scan === undefined) return part;
    rows.push(...part.rows);
    scanned += part.scan.scanned;
    next = part.next;
    const isOver = rows.length === limit || scanned >= scanMax || clock.monotonicMs() >= untilMs;
    if (next !== undefined && !isOver) continue;
    const exhausted = next === undefined;
    return {
      rows,
      ...(next === undefined ? {} : { next }),
      total: totalOf(part, rows.length, exhausted && cursor === undefined),
      scan: { scanned, exhausted },
    };
  }
}

/** The engine may know the number; else it is what was found. */
function totalOf({ total }: Page<JobRow>, found: number, isAll: boolean): Page<JobRow>['total'] {
  if (total.relation === 'exact' && total.value > found) return total;
  return { value: found, relation: isAll || total.relation === 'exact' ? 'exact' : 'atLeast' };
}
