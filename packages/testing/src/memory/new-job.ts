import { InvalidJobError, type NewJob } from '@holdfast/contract';
import {
  checkEnqueue,
  checkExpiry,
  checkedDedupe,
  checkedExtras,
  checkedShape,
  checkPayload,
  checkStart,
  DEFAULT_BACKOFF,
  DEFAULT_MAX_ATTEMPTS,
  DEFAULT_PRIORITY,
  type JobShape,
} from '@holdfast/contract/rules';

/** @throws InvalidArgumentError, InvalidJobError: all jobs or none */
export function checkNewJobs(jobs: readonly NewJob[]): void {
  checkEnqueue(jobs);
  for (const [index, job] of jobs.entries()) {
    if (typeof job !== 'object' || job === null) throw new InvalidJobError(index, 'job', 'must be an object');
    checkedShape(withDefaults(job), index);
    checkPayload(job.payload, index);
    checkStart(job.delayMs, job.runAtMs, index);
    if (job.expiresInMs !== undefined) checkExpiry(job.expiresInMs, job.delayMs, index);
    checkedExtras(job, index);
    if (job.dedupe !== undefined) checkedDedupe(job.dedupe, index);
  }
}

export function shapeOf(job: NewJob): JobShape {
  return checkedShape(withDefaults(job), 0);
}

/** A time that has passed means at once: a job cannot have waited before it was enqueued. */
export function startOf({ delayMs, runAtMs }: NewJob, nowMs: number): number {
  return runAtMs === undefined ? nowMs + Math.ceil(delayMs ?? 0) : Math.max(Math.ceil(runAtMs), nowMs);
}

function withDefaults(job: NewJob): Parameters<typeof checkedShape>[0] {
  const { queue, name, priority = DEFAULT_PRIORITY, maxAttempts = DEFAULT_MAX_ATTEMPTS } = job;
  return { queue, name, priority, maxAttempts, backoff: job.backoff ?? DEFAULT_BACKOFF };
}
