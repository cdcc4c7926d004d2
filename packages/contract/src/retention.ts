/**
 * How many jobs that came to an end a store keeps, to be looked at and (dead ones) redriven. A job is forgotten as soon as one of the
 * bounds is passed, those that ended first before others.
 */
export interface RetentionBounds {
  /** Jobs of a queue. 0 keeps none. */
  readonly count: number;
  /** Milliseconds since the end of the job, on the wall clock; rounded up a little, see `keptUntilMs`. `null`: no bound. */
  readonly ageMs: number | null;
  /** Payloads and results of a queue together; what the store writes beside them is not counted. `null`: no bound. */
  readonly bytes: number | null;
}

/** What is kept of one queue. */
export interface QueueRetention {
  readonly completed: RetentionBounds;
  readonly cancelled: RetentionBounds;
  readonly dead: RetentionBounds;
}

/** What is kept of each queue: of those that are named, and of all others. */
export interface Retention extends QueueRetention {
  readonly queues: Readonly<Record<string, QueueRetention>>;
}

/** What is left out is as for the other queues. */
export interface QueueRetentionOptions {
  readonly completed?: Partial<RetentionBounds>;
  readonly cancelled?: Partial<RetentionBounds>;
  readonly dead?: Partial<RetentionBounds>;
}

/**
 * Default: of each queue the last 1,000 completed and the last 1,000 cancelled jobs, none of them for longer than 24 hours; the last
 * 100,000 dead ones for 14 days. Holds from the open on, also for jobs that ended before.
 */
export interface RetentionOptions extends QueueRetentionOptions {
  readonly queues?: Readonly<Record<string, QueueRetentionOptions>>;
}
