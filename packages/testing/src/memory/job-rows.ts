import type { JobDetail, JobRow, LeaseFacts, LeaseRow, Payload, Retention } from '@holdfast/contract';
import { payloadBytes } from '@holdfast/contract/rules';
import { lastErrorOf } from './job-matches.js';
import { keptUntilMsOf } from './kept-jobs.js';
import type { MemoryJob, MemoryLease } from './memory-job.js';

/** A job in a list. */
export function toRow(job: MemoryJob, monotonicMs: number, retention: Retention): JobRow {
  const { id, state, attempts, enqueuedAtMs, runAtMs, updatedAtMs } = job;
  const { queue, name, priority, maxAttempts } = job.shape;
  const lastError = firstLineOf(job);
  const until = keptUntilMsOf(job, retention);
  return {
    id,
    queue,
    name,
    state,
    priority,
    attempts,
    maxAttempts,
    enqueuedAtMs,
    runAtMs,
    updatedAtMs,
    payloadBytes: payloadBytes([job.payload]),
    ...(job.expiresAtMs === undefined ? {} : { expiresAtMs: job.expiresAtMs }),
    ...(until === undefined ? {} : { keptUntilMs: until }),
    ...(job.lease === undefined ? {} : { lease: toFacts(job.lease, monotonicMs) }),
    ...(lastError === undefined ? {} : { lastError }),
  };
}

/** Copies, so that nobody who is answered can change the job. */
export function toDetail(
  job: MemoryJob,
  monotonicMs: number,
  retention: Retention,
  ahead: number | undefined,
): JobDetail {
  return {
    ...toRow(job, monotonicMs, retention),
    payload: copyOf(job.payload),
    ...structuredClone(job.extras),
    ...(job.dedupe === undefined ? {} : { dedupeKey: job.dedupe.key }),
    ...(job.result === undefined ? {} : { result: copyOf(job.result) }),
    ...(ahead === undefined ? {} : { ahead: { value: ahead, relation: 'exact' } }),
    ...progressOf(job),
    attemptLog: structuredClone(job.attemptLog),
    acts: structuredClone(job.acts),
    ...(job.clonedFrom === undefined ? {} : { clonedFrom: job.clonedFrom }),
    ...(job.cancelCause === undefined ? {} : { cancelCause: job.cancelCause }),
  };
}

export function toLeaseRow(job: MemoryJob & { lease: MemoryLease }, monotonicMs: number): LeaseRow {
  const { id, attempts, lease } = job;
  const { queue, name, maxAttempts } = job.shape;
  const { extensions } = lease;
  const progress = progressOf(job);
  return { id, queue, name, attempt: attempts, maxAttempts, ...toFacts(lease, monotonicMs), extensions, ...progress };
}

export function copyOf(payload: Payload): Payload {
  return typeof payload === 'string' ? payload : Uint8Array.from(payload);
}

function toFacts({ worker, token, leasedAtMs, leaseMs, deadlineMs }: MemoryLease, monotonicMs: number): LeaseFacts {
  return { worker, token, leasedAtMs, leaseMs, remainingMs: deadlineMs - monotonicMs };
}

function progressOf({ attemptLog }: MemoryJob): { readonly progress?: string } {
  const progress = attemptLog.at(-1)?.progress;
  return progress === undefined ? {} : { progress };
}

function firstLineOf(job: MemoryJob): JobRow['lastError'] {
  const error = lastErrorOf(job);
  return error === undefined ? undefined : { class: error.class, message: error.message.split('\n', 1)[0] ?? '' };
}
