import type { Clock } from '@holdfast/contract';
import type { JobTable } from '../state/job-table.js';

/** A wait for the wall clock is cut to this, so that a clock that was set is noticed. */
const WALL_WAIT_MS_MAX = 60_000;

/** Monotonic time at which to look at the wall clock again; Infinity when nothing waits for a time of it. */
export function nextWallMs(table: JobTable, clock: Clock): number {
  const { scheduled, columns, expiries, pauses } = table;
  const dueMs = scheduled.size === 0 ? Number.POSITIVE_INFINITY : columns.runAtMs[scheduled.top]!;
  const nextMs = Math.min(dueMs, expiries.nextMs, pauses.nextEndMs());
  if (nextMs === Number.POSITIVE_INFINITY) return nextMs;
  return clock.monotonicMs() + Math.min(Math.max(nextMs - clock.now(), 0), WALL_WAIT_MS_MAX);
}
