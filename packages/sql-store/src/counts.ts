/** Rows of one step of what is done for all, so that no transaction is long. */
export const STEP_ROWS = 500;

/** Milliseconds of a step of the throughput. */
export const STEP_MS = 10_000;
/** Steps that are shown. */
export const STEPS = 60;

/** What is counted of each queue: all that ever happened, and what is there now. */
export const COUNTS = [
  'total_enqueued',
  'total_claimed',
  'total_completed',
  'total_failed',
  'total_dead',
  'total_expired',
  'scheduled',
  'retrying',
  'ready',
  'leased',
  'completed',
  'dead',
  'cancelled',
] as const;

export type Count = (typeof COUNTS)[number];
