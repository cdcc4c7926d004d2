import type { JobColumns } from './job-columns.js';
import type { QueueLanes } from './lane.js';
import type { ReadyJobs } from './ready-jobs.js';

/** Jobs looked at in one lane: a millisecond or two. */
const LOOKED_AT_MAX = 200_000;

/**
 * Since when the longest-waiting ready job of a queue could have started; `undefined` if none is ready. Among jobs of one priority number
 * those of a lane that rank first are visited first, and no job could start before its rank (but for the time that a clock was
 * set back: `rankLeadMs`), so a look at a few jobs is enough. Where the ready jobs of a lane differ in priority all with a
 * lower number than the last are looked at, up to 200,000.
 */
export function oldestReadyAtMs(columns: JobColumns, queue: QueueLanes, rankLeadMs: number): number | undefined {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { ready } of queue.readyLanes.all()) oldest = oldestIn(columns, ready, rankLeadMs, oldest);
  return oldest === Number.POSITIVE_INFINITY ? undefined : oldest;
}

function oldestIn(columns: JobColumns, ready: ReadyJobs, rankLeadMs: number, oldestElsewhere: number): number {
  const { runAtMs, rankAtMs, priority } = columns;
  const { lastPriority } = ready;
  let oldest = oldestElsewhere;
  let left = LOOKED_AT_MAX;
  ready.visitDown((slot) => {
    if (left === 0) return false;
    left--;
    // What is below ranks behind it, and all of it has the same priority.
    if (priority[slot] === lastPriority && rankAtMs[slot]! - rankLeadMs >= oldest) return false;
    oldest = Math.min(oldest, runAtMs[slot]!);
    return true;
  });
  return oldest;
}
