import { InvalidJobError, type NewJob } from '@holdfast/contract';
import {
  type CheckedDedupe,
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
  payloadBytes,
} from '@holdfast/contract/rules';
import { backoffColumns } from './backoff-columns.js';
import { payloadColumns } from './payload-columns.js';
import type { NewJobRow } from './statements.js';

/** A job as it will be stored: checked, copied, with its defaults. */
export interface CheckedJob {
  readonly queue: string;
  readonly dedupe?: CheckedDedupe;
  /** Its queue is found later, and written here: a row for each job is what is stored, not one of two. */
  readonly row: Omit<NewJobRow, 'queue_id'> & { queue_id: number };
}

/** @throws InvalidArgumentError, InvalidJobError: all jobs or none */
export function checkedJobs(jobs: readonly NewJob[]): CheckedJob[] {
  checkEnqueue(jobs);
  return jobs.map(checkedJob);
}

function checkedJob(job: NewJob, index: number): CheckedJob {
  if (typeof job !== 'object' || job === null) throw new InvalidJobError(index, 'job', 'must be an object');
  const { delayMs, runAtMs, expiresInMs, payload } = job;
  const shape = checkedShape(
    {
      queue: job.queue,
      name: job.name,
      priority: job.priority ?? DEFAULT_PRIORITY,
      maxAttempts: job.maxAttempts === undefined ? DEFAULT_MAX_ATTEMPTS : job.maxAttempts,
      backoff: job.backoff ?? DEFAULT_BACKOFF,
    },
    index,
  );
  checkPayload(payload, index);
  checkStart(delayMs, runAtMs, index);
  if (expiresInMs !== undefined) checkExpiry(expiresInMs, delayMs, index);
  const extras = checkedExtras(job, index);
  const dedupe = job.dedupe === undefined ? undefined : checkedDedupe(job.dedupe, index);
  const [payload_text, payload_bytes] = payloadColumns(payload);
  const row = {
    queue_id: 0,
    name: shape.name,
    priority: shape.priority,
    max_attempts: shape.maxAttempts,
    ...backoffColumns(shape.backoff),
    payload_text,
    payload_bytes,
    payload_size: payloadBytes([payload]),
    delay_ms: Math.ceil(delayMs ?? 0),
    starts_at_ms: runAtMs === undefined ? null : Math.ceil(runAtMs),
    expires_in_ms: expiresInMs === undefined ? null : Math.ceil(expiresInMs),
    headers: extras?.headers === undefined ? null : JSON.stringify(extras.headers),
    timeout_ms: extras?.timeoutMs ?? null,
    dedupe_key: dedupe === undefined ? null : dedupe.key,
    key_for_ms: dedupe === undefined || dedupe.forMs === 0 ? null : dedupe.forMs,
  };
  return { queue: shape.queue, row, ...(dedupe === undefined ? {} : { dedupe }) };
}

export function jobRows(jobs: readonly CheckedJob[], queueIds: ReadonlyMap<string, number>): NewJobRow[] {
  return jobs.map((job) => jobRow(job, queueIds));
}

export function jobRow({ queue, row }: CheckedJob, queueIds: ReadonlyMap<string, number>): NewJobRow {
  row.queue_id = queueIds.get(queue) ?? 0;
  return row;
}
