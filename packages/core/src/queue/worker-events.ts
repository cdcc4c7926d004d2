import type { LeasedJob, SettleAnswer } from '@holdfast/contract';
import type { Outcome } from './outcome.js';

/** What a worker tells about a job: everything but its payload. */
export type JobFacts = Omit<LeasedJob, 'payload'>;

/** What a worker tells, each after the store has it. Listeners are called in order and never hold up the work. */
export interface WorkerEvents {
  completed: { readonly job: JobFacts; readonly durationMs: number };
  /** What a handler told of its progress, last of all in a quarter of a second. */
  progress: { readonly job: JobFacts; readonly progress: unknown };
  /** An attempt failed and there will be another. `error` is what the handler threw. */
  failed: { readonly job: JobFacts; readonly durationMs: number; readonly error: unknown };
  /** The last attempt failed, or the handler said that no further one can help. */
  dead: { readonly job: JobFacts; readonly durationMs: number; readonly error: unknown };
  /** Handed back because the worker closes, or for `delayMs` because the handler snoozed; the attempt is not counted. */
  released: { readonly job: JobFacts; readonly delayMs?: number };
  /** The job will not run any more. By an operator: its handler still runs and its signal is aborted now. */
  cancelled: { readonly job: JobFacts; readonly by: 'handler' | 'operator' };
  /** The attempt was given up after its `timeoutMs` while its handler still runs; its slot is free. */
  runaway: { readonly job: JobFacts; readonly timeoutMs: number };
  /** Such a handler has ended after all. */
  runawayEnded: { readonly job: JobFacts; readonly durationMs: number };
  /** The lease ended while the handler ran: its signal is aborted, and what it answers will not be kept. */
  leaseLost: { readonly job: JobFacts };
  /**
   * For at least so long this worker could do nothing: a handler, or something else in its thread, computes, or the process was stopped. The
   * leases of a log store lasted meanwhile. Told once the thread is free, where it was for a third of `leaseMs` or more. `job` is
   * present where one alone is at work still.
   */
  blocked: { readonly blockedMs: number; readonly job?: JobFacts };
  /** The store refused the end of an attempt: the lease had ended before. The job runs again, or has already. */
  stale: { readonly job: JobFacts; readonly outcome: Outcome['kind']; readonly answer: SettleAnswer };
  /** Something failed that is no job's fault. The worker goes on unless the store is closed. */
  error: { readonly error: unknown; readonly during: WorkerStep; readonly job?: JobFacts };
}

/**
 * `result`: what the handler returned could not be kept; the job is completed without it. `note`: some of what handlers told is not
 * kept. `backoff`: the function that the job names for its waits is not there, or failed; the job waits as long as an exponential one.
 */
export type WorkerStep = 'claim' | 'settle' | 'extend' | 'result' | 'note' | 'backoff';
