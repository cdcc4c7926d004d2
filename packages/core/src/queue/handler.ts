import type { JobHeaders, JobId, LeaseToken, WorkerName } from '@holdfast/contract';
import type { JobName } from './job-options.js';

/** What a handler is given to work on. */
export interface Job<T = unknown> {
  /** The same in every attempt: make side effects idempotent by it. */
  readonly id: JobId;
  readonly queue: string;
  readonly name: string;
  readonly payload: T;
  readonly priority: number;
  /** 1 for the first start. */
  readonly attempt: number;
  readonly maxAttempts: number | null;
  readonly enqueuedAtMs: number;
  /** How long this attempt may take, if the job says so. */
  readonly timeoutMs?: number;
  /** Texts that were enqueued beside the payload, such as a trace context. */
  readonly headers?: JobHeaders;
}

/** What a handler may use while it works. */
export interface JobContext {
  /**
   * Aborted with a `JobAbortedError` when the time of the attempt is over, its job was cancelled, its lease was lost, or the worker closes.
   * Pass it on to `fetch` and the like.
   */
  readonly signal: AbortSignal;
  /** Grows with every lease of the store: guard a write of your own by refusing smaller tokens than the last one. */
  readonly token: LeaseToken;
  readonly attempt: number;
  readonly worker: WorkerName;
  /**
   * Makes the lease last at least `leaseMs` from now (default: the worker's lease); it never gets shorter by that. The worker extends by
   * itself; await this before work that blocks the event loop for longer than a lease.
   * @throws JobAbortedError when the attempt is over already: its lease was lost, or the closing worker handed the job
   * back.
   */
  extend(leaseMs?: number): Promise<void>;

  /**
   * Tells how far the work is: a share from 0 to 1, or any small JSON value. It takes the place of what was told before, and is seen with the
   * job a quarter of a second later. Kept with the attempt. Does nothing once the attempt is over.
   * @throws PayloadNotJsonError, InvalidArgumentError where it is no JSON or more than 1 KiB of it
   */
  progress(value: unknown): void;

  /**
   * Adds a line to the log of the attempt, which is seen with the job. Longer lines than 1 KiB are cut; of a job the last 100 lines are kept,
   * of at most 16 KiB, and the others counted. Does nothing once the attempt is over.
   */
  log(line: string): void;
}

/**
 * Works on one job. Returning completes it, with what was returned as its result; throwing fails the attempt; throwing
 * `UnrecoverableError` makes the job dead at once. May run twice for one job: see `Job.id`.
 */
export type Handler<T = unknown> = (job: Job<T>, context: JobContext) => unknown;

/** Handlers by job name. */
export type Handlers<Jobs extends object> = { readonly [Name in JobName<Jobs>]?: Handler<Jobs[Name]> };
