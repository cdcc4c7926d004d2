import type { JobColumns } from './job-columns.js';
import type { ReadyHeap } from './job-heaps.js';
import type { QueueLanes } from './lane.js';

/** Jobs looked at in one lane: a millisecond or two. */
const LOOKED_AT_MAX = 200_000;

/**
 * Since when the longest-waiting ready job of a queue could have started; `undefined` if none is ready. The heaps are ordered by
 * priority first, so all are looked at; in a lane of more than 200,000 ready jobs, the first that many in heap order.
 */
export function oldestReadyAtMs(columns: JobColumns, queue: QueueLanes): number | undefined {
  let oldest = Number.POSITIVE_INFINITY;
  for (const { ready } of queue.lanes) oldest = Math.min(oldest, oldestIn(columns, ready));
  return oldest === Number.POSITIVE_INFINITY ? undefined : oldest;
}

function oldestIn(columns: JobColumns, ready: ReadyHeap): number {
  const { runAtMs } = columns;
  const end = Math.min(ready.size, LOOKED_AT_MAX);
  let oldest = Number.POSITIVE_INFINITY;
  for (let position = 0; position < end; position++) oldest = Math.min(oldest, runAtMs[ready.at(position)]!);
  return oldest;
}
