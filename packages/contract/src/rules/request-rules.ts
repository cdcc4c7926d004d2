import { createHash } from 'node:crypto';
import { InvalidArgumentError } from '../errors.js';
import type { NewJob } from '../job.js';
import type { AckOptions, EnqueueOptions } from '../job-store.js';
import { checkText } from './call-checks.js';
import { checkedDedupe, checkedShape, DEFAULT_BACKOFF, DEFAULT_MAX_ATTEMPTS, DEFAULT_PRIORITY } from './job-checks.js';
import { STORE_LIMITS as LIMITS } from './limits.js';

const FINGERPRINT_HEX = 32;

/** The same call has another trace each time that it is repeated: these headers are not what it asks for. */
const TRACE_HEADER =
  /^(traceparent|tracestate|baggage|b3|x-b3-.+|uber-trace-id|uberctx-.+|x-amzn-trace-id|sentry-trace)$/i;

/** For stores that share no database with their callers. @throws InvalidArgumentError */
export function refuseTransaction(call: 'enqueue' | 'ack', options: AckOptions<unknown> | undefined): void {
  if (options?.transaction === undefined) return;
  throw new InvalidArgumentError(
    `${call}.transaction`,
    options.transaction,
    'absent: this store takes part in no transaction',
    'A store in the database of the transaction does (postgresStore, mysqlStore). Over any other store, write the job into an outbox there.',
  );
}

/** @throws InvalidArgumentError */
export function checkedRequestId(options: EnqueueOptions<unknown> | undefined): string | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== 'object' || options === null) {
    throw new InvalidArgumentError('enqueue.options', options, 'an object such as { requestId }');
  }
  const { requestId } = options;
  if (requestId !== undefined) checkText('enqueue.requestId', requestId, LIMITS.requestIdBytesMax);
  return requestId;
}

/**
 * Tells the jobs of one call from those of another: 16 bytes in hexadecimal digits. What a job leaves to a default counts as said; its trace
 * context does not count. It is
 * kept on the disk, so an option of a later version must leave it as it is where it is not given. The jobs were checked before.
 */
export function requestFingerprint(jobs: readonly NewJob[]): string {
  const hash = createHash('sha256');
  for (const [index, job] of jobs.entries()) {
    const { payload } = job;
    const terms = JSON.stringify(termsOf(job, index));
    const bytes = Buffer.byteLength(payload);
    hash.update(`${Buffer.byteLength(terms)} ${bytes} ${typeof payload === 'string' ? 'text' : 'bytes'} ${terms}`);
    hash.update(payload);
  }
  return hash.digest('hex').slice(0, FINGERPRINT_HEX);
}

/** In a fixed order. What is undefined is left out of the JSON. */
function termsOf(job: NewJob, index: number) {
  const { queue, name, priority = DEFAULT_PRIORITY, maxAttempts = DEFAULT_MAX_ATTEMPTS } = job;
  const { delayMs, runAtMs, expiresInMs, timeoutMs, headers = {} } = job;
  const dedupe = job.dedupe === undefined ? undefined : checkedDedupe(job.dedupe, index);
  const { backoff } = checkedShape(
    { queue, name, priority, maxAttempts, backoff: job.backoff ?? DEFAULT_BACKOFF },
    index,
  );
  const { kind, baseMs, maxMs, jitter, name: backoffName } = backoff;
  const waits = [kind, baseMs, maxMs, jitter, ...(backoffName === undefined ? [] : [backoffName])];
  const asked = Object.entries(headers).filter(([header]) => !TRACE_HEADER.test(header));
  const pairs = asked.sort(([one], [other]) => (one < other ? -1 : 1));
  return {
    ...{ queue, name, priority, maxAttempts, backoff: waits },
    ...{ delayMs, runAtMs, expiresInMs, timeoutMs },
    headers: pairs.length === 0 ? undefined : pairs,
    dedupe: dedupe === undefined ? undefined : [dedupe.key, dedupe.onConflict, dedupe.forMs],
  };
}
