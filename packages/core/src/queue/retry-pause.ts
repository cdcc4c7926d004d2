import type { Clock } from '@holdfast/contract';

const FIRST_MS = 100;
const LONGEST_MS = 5000;

/** How long to leave a failing store alone: 100 ms, doubling to 5 s. `failures` counts from 1. */
export function retryPauseMs(failures: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
}

/** Resolves after `ms`, or at once when the signal aborts. Leaves no timer behind. */
export function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clock.clearTimer(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = clock.setTimer(ms, end);
    signal.addEventListener('abort', end);
  });
}

/** Whether the work ended within `ms`. The work goes on either way. */
export function endsWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.setTimer(ms, () => resolve(false));
    const end = () => {
      clock.clearTimer(timer);
      resolve(true);
    };
    work.then(end, end);
  });
}
