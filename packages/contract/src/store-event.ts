import type { JobError, JobId } from './job.js';

interface EventOfJob {
  readonly id: JobId;
  readonly queue: string;
  readonly name: string;
}

interface EventOfAttempt extends EventOfJob {
  readonly attempt: number;
  readonly error: Pick<JobError, 'class' | 'message'>;
}

/** What happened, without when and where it stands among the others. */
export type StoreHappening =
  /** So many jobs came to a queue since the last such event, and are durable. */
  | { readonly kind: 'enqueued'; readonly queue: string; readonly count: number }
  | ({ readonly kind: 'completed' | 'cancelled' | 'redriven' | 'removed' } & EventOfJob)
  /** An attempt ended without an ack and the job will be tried again. */
  | ({ readonly kind: 'retried' } & EventOfAttempt)
  /** An attempt ended without an ack and was the last. */
  | ({ readonly kind: 'dead' } & EventOfAttempt)
  /** Stands before the `retried` or `dead` that follows from it. */
  | ({ readonly kind: 'leaseExpired'; readonly attempt: number; readonly worker: string } & EventOfJob)
  | { readonly kind: 'paused' | 'resumed'; readonly queue: string; readonly actor: string }
  /** Events before this one are not known (any more): look at the store itself, then go on. */
  | { readonly kind: 'gap' };

export type StoreEventKind = StoreHappening['kind'];

/** `cursor`: a later event has a greater one, as text, also across restarts of the store. */
export type StoreEvent = StoreHappening & { readonly cursor: string; readonly atMs: number };

export interface EventsRequest {
  /** The cursor of the last event that was seen. Without one, events from now on. */
  readonly after?: string;
  /** Only these kinds; without it, all. A `gap` is always told. */
  readonly kinds?: readonly Exclude<StoreEventKind, 'gap'>[];
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
}
