import type { Clock } from '@holdfast/contract';
import type { JobTable } from '../state/job-table.js';

/** A wait for the wall clock is cut to this, so that a clock that was set is noticed. */
const WALL_WAIT_MS_MAX = 60_000;
/** Nobody waits for jobs to be forgotten, and most stores have some that will be: such a wait wakes an idle store less often. */
const FORGET_WAIT_MS_MAX = 3_600_000;

/** Monotonic time at which to look at the wall clock again; Infinity when nothing waits for a time of it. */
export function nextWallMs(table: JobTable, clock: Clock): number {
  const { expiries, pauses, ended } = table;
  const { scheduled } = table.waiting;
  const awaitedMs = Math.min(scheduled.nextMs, expiries.nextMs, pauses.nextEndMs);
  return Math.min(
    waitUntil(awaitedMs, WALL_WAIT_MS_MAX, clock),
    waitUntil(ended.dues.nextMs, FORGET_WAIT_MS_MAX, clock),
  );
}

function waitUntil(wallMs: number, waitMsMax: number, clock: Clock): number {
  if (wallMs === Number.POSITIVE_INFINITY) return wallMs;
  return clock.monotonicMs() + Math.min(Math.max(wallMs - clock.now(), 0), waitMsMax);
}
