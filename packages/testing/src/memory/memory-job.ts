import type { Attempt, JobId, JobState, LeaseToken, OperatorAct, Payload } from '@holdfast/contract';
import type { JobExtras, JobShape } from '@holdfast/contract/rules';

/** The two times of one moment: what the wall clock shows, and what has passed. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/** The lease of a job that is leased. */
export interface MemoryLease {
  readonly worker: string;
  readonly token: LeaseToken;
  readonly leasedAtMs: number;
  leaseMs: number;
  /** Monotonic. */
  deadlineMs: number;
  extensions: number;
}

/** A job with everything that is known of it, in one object. */
export interface MemoryJob {
  readonly id: string;
  /** Of the enqueue; a later job has a greater number. */
  readonly number: number;
  /** Replaced as a whole when its priority changes. */
  shape: JobShape;
  payload: Payload;
  extras: JobExtras;
  /** As it was enqueued; `untilMs` is when the window of its key is over, 0 without one. */
  dedupe?: { readonly key: string; readonly untilMs: number };
  /** The job takes the key. */
  takesKey: boolean;
  enqueuedAtMs: number;
  state: JobState;
  attempts: number;
  runAtMs: number;
  /** Its place in the order of the queue, behind its priority: kept by retries and releases, new after a redrive. */
  rankAtMs: number;
  updatedAtMs: number;
  /** Of all changes of states, the one that led to this state. */
  changeNumber: number;
  /** As `updatedAtMs`, but a job that merely became due was not changed by anybody. */
  recordedAtMs: number;
  /** It was last told to wait for `runAtMs`. A store that is opened anew makes it wait again if the clock was set back. */
  waits: boolean;
  /** Until it is first leased. */
  expiresAtMs?: number;
  lease?: MemoryLease;
  /** Of the ack that completed it. */
  completedBy?: LeaseToken;
  result?: Payload;
  readonly clonedFrom?: JobId;
  cancelCause?: 'operator' | 'expired' | 'handler';
  /** Its place among all ends; absent on a job that has not come to one. */
  endedNumber?: number;
  attemptLog: Attempt[];
  acts: OperatorAct[];
}

export function isLeased(job: MemoryJob): job is MemoryJob & { lease: MemoryLease } {
  return job.lease !== undefined;
}
