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
import { arrayLiteral } from './array-literal.js';
import { payloadColumns } from './payload-columns.js';
import { ENQUEUE_COLUMNS, type EnqueueColumn } from './sql/enqueue-jobs.js';
import { storedOrNull, storedText } from './stored-text.js';

/** A job as it will be stored: checked, copied, with its defaults. */
export interface CheckedJob {
  readonly queue: string;
  readonly dedupe?: CheckedDedupe;
  /** Its queue is found later. */
  readonly row: Readonly<Record<Exclude<EnqueueColumn, 'queue_id'>, unknown>>;
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
  const { backoff } = shape;
  const row = {
    name: storedText(shape.name),
    priority: shape.priority,
    max_attempts: shape.maxAttempts,
    backoff_base_ms: backoff.baseMs,
    backoff_max_ms: backoff.maxMs,
    backoff_doubles: backoff.kind !== 'fixed',
    backoff_jitter: backoff.jitter,
    backoff_name: storedOrNull(backoff.name),
    payload_text,
    payload_bytes,
    payload_size: payloadBytes([payload]),
    delay_ms: Math.ceil(delayMs ?? 0),
    starts_at_ms: runAtMs === undefined ? null : Math.ceil(runAtMs),
    expires_in_ms: expiresInMs === undefined ? null : Math.ceil(expiresInMs),
    headers: extras?.headers === undefined ? null : storedText(JSON.stringify(extras.headers)),
    timeout_ms: extras?.timeoutMs ?? null,
    dedupe_key: dedupe === undefined ? null : storedText(dedupe.key),
    key_for_ms: dedupe === undefined || dedupe.forMs === 0 ? null : dedupe.forMs,
  };
  return { queue: shape.queue, row, ...(dedupe === undefined ? {} : { dedupe }) };
}

/** One array for each column of the statement: of one value where all jobs have it. Their sizes say how many jobs there are. */
export function enqueueValues(jobs: readonly CheckedJob[], queueIds: ReadonlyMap<string, number>): string[] {
  return ENQUEUE_COLUMNS.map((column) => {
    const given = jobs.map(({ queue, row }) => (column === 'queue_id' ? (queueIds.get(queue) ?? null) : row[column]));
    const isCommon = column !== 'payload_size' && given.every((value) => value === given[0]);
    return arrayLiteral(isCommon ? given.slice(0, 1) : given);
  });
}
