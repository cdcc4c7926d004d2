import type { JobError, JobFilter } from '@holdfast/contract';
import { errorKind, holdsText, isInternalQueue, payloadHas } from '@holdfast/contract/rules';
import type { MemoryJob } from './memory-job.js';

/** Whether a job matches everything that a filter asks for. */
export function jobMatches(job: MemoryJob, filter: JobFilter): boolean {
  return isInPlace(job, filter) && hasTimes(job, filter) && hasError(job, filter) && hasContents(job, filter);
}

/** Whether state, queue and name match. */
export function isInPlace({ state, shape }: MemoryJob, filter: JobFilter): boolean {
  return (
    (filter.state === undefined || filter.state === state) &&
    (filter.queue === undefined ? !isInternalQueue(shape.queue) : filter.queue === shape.queue) &&
    (filter.name === undefined || filter.name === shape.name)
  );
}

/** Of dead jobs and those that wait for a retry. */
export function lastErrorOf(job: MemoryJob): JobError | undefined {
  const retrying = job.state === 'scheduled' && job.attempts > 0;
  if (job.state !== 'dead' && !retrying) return undefined;
  return job.attemptLog.findLast((attempt) => attempt.error !== undefined)?.error;
}

function hasTimes({ enqueuedAtMs, updatedAtMs }: MemoryJob, filter: JobFilter): boolean {
  const { enqueuedFromMs = 0, enqueuedBeforeMs = Number.POSITIVE_INFINITY } = filter;
  const { updatedFromMs = 0, updatedBeforeMs = Number.POSITIVE_INFINITY } = filter;
  return (
    enqueuedAtMs >= enqueuedFromMs &&
    enqueuedAtMs < enqueuedBeforeMs &&
    updatedAtMs >= updatedFromMs &&
    updatedAtMs < updatedBeforeMs
  );
}

function hasError(job: MemoryJob, { errorClass, errorText, errorFingerprint }: JobFilter): boolean {
  if (errorClass === undefined && errorText === undefined && errorFingerprint === undefined) return true;
  const error = lastErrorOf(job);
  return (
    error !== undefined &&
    (errorClass === undefined || error.class === errorClass) &&
    (errorText === undefined || holdsText(error.message, errorText)) &&
    (errorFingerprint === undefined || (job.state === 'dead' && errorKind(error).fingerprint === errorFingerprint))
  );
}

function hasContents({ id, attempts, payload }: MemoryJob, filter: JobFilter): boolean {
  return (
    (filter.id === undefined || id.startsWith(filter.id)) &&
    attempts >= (filter.attemptsMin ?? 0) &&
    (filter.payload === undefined || payloadHas(payload, filter.payload))
  );
}
