import type { Clock } from '@holdfast/contract';

/** Injects the clock that stamps answers; `overrideProvider` replaces it. */
export const ADMIN_CLOCK = 'HOLDFAST_ADMIN_CLOCK';

export const adminClock: Pick<Clock, 'now'> = { now: () => Date.now() };
