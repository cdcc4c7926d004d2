import type { Clock } from '@holdfast/contract';

/** Injects the clock that stamps answers and times what they share; `overrideProvider` replaces it. */
export const ADMIN_CLOCK = 'HOLDFAST_ADMIN_CLOCK';

export const adminClock: Pick<Clock, 'now' | 'monotonicMs'> = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
};
