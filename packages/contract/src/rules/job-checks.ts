import { describedValue } from '../described-value.js';
import { InvalidArgumentError, InvalidJobError } from '../errors.js';
import type { Backoff, BackoffOptions, Dedupe, JobHeaders, NewJob, Payload } from '../job.js';
import { STORE_LIMITS as LIMITS } from './limits.js';
import { bytesBeyond, payloadProblem, textProblem } from './text-problem.js';

/** What a job gets that does not say otherwise: see NewJob. */
export const DEFAULT_PRIORITY = 0;
export const DEFAULT_MAX_ATTEMPTS = 5;
export const DEFAULT_BACKOFF: Backoff = { kind: 'exponential', baseMs: 1000, maxMs: 3_600_000, jitter: 'full' };

/** What jobs of one kind have in common, with the defaults filled in. */
export interface JobShape {
  readonly queue: string;
  readonly name: string;
  readonly priority: number;
  readonly maxAttempts: number | null;
  readonly backoff: Backoff;
}

/** A dedupe with its defaults filled in; `forMs` is 0 without a window. */
export interface CheckedDedupe {
  readonly key: string;
  readonly onConflict: 'keep' | 'replace' | 'runOnceMore';
  readonly forMs: number;
}

const BACKOFF_KINDS: readonly Backoff['kind'][] = ['fixed', 'exponential', 'named'];
const JITTERS: readonly Backoff['jitter'][] = ['none', 'full', 'decorrelated'];
const BACKOFF_NAMES: readonly string[] = ['kind', 'baseMs', 'maxMs', 'jitter', 'name'] satisfies (keyof Backoff)[];
const DEDUPE_NAMES: readonly string[] = ['key', 'onConflict', 'forMs'] satisfies (keyof Dedupe)[];
const CONFLICTS: readonly CheckedDedupe['onConflict'][] = ['keep', 'replace', 'runOnceMore'];

/** What few jobs carry beside their payload, for those who work on them. */
export type JobExtras = Pick<NewJob, 'timeoutMs' | 'headers'>;

/** A shape whose backoff may still leave out what has a default. */
export type JobShapeOptions = Omit<JobShape, 'backoff'> & { readonly backoff: BackoffOptions };

/**
 * Looks at an enqueue as a whole.
 * @throws InvalidArgumentError
 */
export function checkEnqueue(jobs: readonly NewJob[]): void {
  if (!Array.isArray(jobs)) throw new InvalidArgumentError('enqueue.jobs', jobs, 'an array of jobs');
  if (jobs.length > LIMITS.enqueueJobsMax) {
    throw new InvalidArgumentError('enqueue.jobs.length', jobs.length, `at most ${LIMITS.enqueueJobsMax}`);
  }
  if (jobs.length === 1) return;
  const ofHeaders = headerBytes(jobs);
  const bytes = bytesBeyond(jobs, (job) => job?.payload, LIMITS.enqueueBytesMax - ofHeaders);
  if (bytes !== undefined) {
    throw new InvalidArgumentError(
      'enqueue.jobs: bytes of payload and headers',
      bytes + ofHeaders,
      `at most ${LIMITS.enqueueBytesMax}`,
    );
  }
}

/** Roughly, and at least: three for each unit, as UTF-8 needs at most. What is no header is refused later. */
function headerBytes(jobs: readonly NewJob[]): number {
  let bytes = 0;
  for (const job of jobs) {
    if (typeof job?.headers !== 'object' || job.headers === null) continue;
    for (const [name, value] of Object.entries(job.headers))
      bytes += 3 * (name.length + (typeof value === 'string' ? value.length : 0));
  }
  return bytes;
}

/**
 * A copy of the shape that no caller can change.
 * @throws InvalidJobError naming the job's index and field
 */
export function checkedShape(shape: JobShapeOptions, index: number): JobShape {
  checkName(index, 'queue', shape.queue, LIMITS.queueNameBytesMax);
  checkName(index, 'name', shape.name, LIMITS.jobNameBytesMax);
  checkWhole(index, 'priority', shape.priority, 0, LIMITS.priorityMax);
  if (shape.maxAttempts !== null) checkWhole(index, 'maxAttempts', shape.maxAttempts, 1, LIMITS.maxAttemptsMax);
  return { ...shape, backoff: checkedBackoff(index, shape.backoff) };
}

/** @throws InvalidJobError */
export function checkPayload(payload: Payload, index: number): void {
  const problem = payloadProblem(payload);
  if (problem !== undefined) throw new InvalidJobError(index, 'payload', problem);
}

/** When a job may start: at most one of both. @throws InvalidJobError */
export function checkStart(delayMs: number | undefined, runAtMs: number | undefined, index: number): void {
  if (delayMs !== undefined && runAtMs !== undefined) {
    throw new InvalidJobError(index, 'runAtMs', 'is given beside delayMs, but only one of them can hold');
  }
  if (delayMs !== undefined && !isWithin(delayMs, 0, LIMITS.delayMsMax)) {
    throw new InvalidJobError(
      index,
      'delayMs',
      `is ${describedValue(delayMs)}, but must be 0 to ${LIMITS.delayMsMax} milliseconds`,
    );
  }
  if (runAtMs !== undefined && !isWithin(runAtMs, 0, LIMITS.runAtMsMax)) {
    throw new InvalidJobError(
      index,
      'runAtMs',
      `is ${describedValue(runAtMs)}, but must be 0 to ${LIMITS.runAtMsMax} milliseconds`,
    );
  }
}

/** Until when a job must be started. @throws InvalidJobError */
export function checkExpiry(expiresInMs: number, delayMs: number | undefined, index: number): void {
  if (!isWithin(expiresInMs, 1, LIMITS.delayMsMax)) {
    const problem = `is ${describedValue(expiresInMs)}, but must be 1 to ${LIMITS.delayMsMax} milliseconds`;
    throw new InvalidJobError(index, 'expiresInMs', problem);
  }
  if (delayMs !== undefined && delayMs >= expiresInMs) {
    const problem = `is ${expiresInMs}, but the job may not start before ${delayMs} milliseconds have passed`;
    throw new InvalidJobError(index, 'expiresInMs', problem);
  }
}

/**
 * What a job carries beside its payload, as a copy that no caller can change; `undefined` where there is nothing.
 * @throws InvalidJobError
 */
export function checkedExtras(job: Pick<NewJob, 'timeoutMs' | 'headers'>, index: number): JobExtras | undefined {
  if (job.timeoutMs === undefined && job.headers === undefined) return undefined;
  const timeoutMs = job.timeoutMs === undefined ? undefined : checkedTimeout(job.timeoutMs, index);
  const headers = job.headers === undefined ? undefined : checkedHeaders(job.headers, index);
  if (headers === undefined) return timeoutMs === undefined ? undefined : { timeoutMs };
  return timeoutMs === undefined ? { headers } : { timeoutMs, headers };
}

/** A copy with its defaults filled in. @throws InvalidJobError */
export function checkedDedupe(dedupe: Dedupe, index: number): CheckedDedupe {
  if (typeof dedupe !== 'object' || dedupe === null) throw new InvalidJobError(index, 'dedupe', 'must be an object');
  checkKnown(index, 'dedupe', dedupe, DEDUPE_NAMES);
  const { key, onConflict = 'keep', forMs = 0 } = dedupe;
  checkName(index, 'dedupe.key', key, LIMITS.dedupeKeyBytesMax);
  if (!CONFLICTS.includes(onConflict)) {
    const problem = `is ${describedValue(onConflict)}, but must be one of ${CONFLICTS.join(', ')}`;
    throw new InvalidJobError(index, 'dedupe.onConflict', problem);
  }
  if (dedupe.forMs !== undefined && !isWithin(forMs, 1, LIMITS.delayMsMax)) {
    const problem = `is ${describedValue(forMs)}, but must be 1 to ${LIMITS.delayMsMax} milliseconds`;
    throw new InvalidJobError(index, 'dedupe.forMs', problem);
  }
  return { key, onConflict, forMs: Math.ceil(forMs) };
}

function checkedTimeout(timeoutMs: number, index: number): number {
  if (isWithin(timeoutMs, 1, LIMITS.timeoutMsMax)) return Math.ceil(timeoutMs);
  const problem = `is ${describedValue(timeoutMs)}, but must be 1 to ${LIMITS.timeoutMsMax} milliseconds`;
  throw new InvalidJobError(index, 'timeoutMs', problem);
}

function checkedHeaders(headers: JobHeaders, index: number): JobHeaders | undefined {
  if (typeof headers !== 'object' || headers === null || Array.isArray(headers)) {
    throw new InvalidJobError(index, 'headers', 'must be an object of texts');
  }
  const entries = Object.entries(headers);
  let bytes = 0;
  for (const [name, value] of entries) {
    checkName(index, 'headers: a name', name, LIMITS.headerNameBytesMax);
    const field = `headers.${name}`;
    if (typeof value !== 'string')
      throw new InvalidJobError(index, field, `is ${describedValue(value)}, but must be a text`);
    const problem = textProblem(value, LIMITS.headersBytesMax);
    if (problem !== undefined) throw new InvalidJobError(index, field, problem);
    bytes += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (bytes > LIMITS.headersBytesMax) {
    throw new InvalidJobError(index, 'headers', `have ${bytes} bytes, but may have at most ${LIMITS.headersBytesMax}`);
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

function isWithin(value: number, min: number, max: number): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}

function checkedBackoff(index: number, backoff: BackoffOptions): Backoff {
  if (typeof backoff !== 'object' || backoff === null) throw new InvalidJobError(index, 'backoff', 'must be an object');
  checkKnown(index, 'backoff', backoff, BACKOFF_NAMES);
  const given: Partial<Backoff> = backoff;
  const { kind, jitter = DEFAULT_BACKOFF.jitter, name } = given;
  if (kind === undefined || !BACKOFF_KINDS.includes(kind)) {
    throw new InvalidJobError(
      index,
      'backoff.kind',
      `is ${describedValue(kind)}, but must be ${BACKOFF_KINDS.join(' or ')}`,
    );
  }
  if (!JITTERS.includes(jitter)) {
    throw new InvalidJobError(
      index,
      'backoff.jitter',
      `is ${describedValue(jitter)}, but must be ${JITTERS.join(' or ')}`,
    );
  }
  if (kind === 'fixed' && jitter === 'decorrelated') {
    throw new InvalidJobError(index, 'backoff.jitter', 'is decorrelated, but a fixed backoff has no steps to draw');
  }
  const baseMs = kind === 'named' ? (given.baseMs ?? DEFAULT_BACKOFF.baseMs) : (given.baseMs as number);
  const maxMs = given.maxMs ?? (kind === 'fixed' ? baseMs : DEFAULT_BACKOFF.maxMs);
  checkWhole(index, 'backoff.baseMs', baseMs, 0, LIMITS.backoffMsMax);
  checkWhole(index, 'backoff.maxMs', maxMs, 0, LIMITS.backoffMsMax);
  if (kind !== 'named') return { kind, baseMs, maxMs, jitter };
  checkName(index, 'backoff.name', name as string, LIMITS.backoffNameBytesMax);
  return { kind, baseMs, maxMs, jitter, name: name as string };
}

/** A name that nobody reads is a mistake in writing, and the job would be stored without what was meant. */
function checkKnown(index: number, field: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    throw new InvalidJobError(index, `${field}.${name}`, `is not known; there are ${known.join(', ')}`);
  }
}

function checkName(index: number, field: string, name: string, bytesMax: number): void {
  if (typeof name !== 'string')
    throw new InvalidJobError(index, field, `is ${describedValue(name)}, but must be a text`);
  if (name === '') throw new InvalidJobError(index, field, 'is empty');
  const problem = textProblem(name, bytesMax);
  if (problem !== undefined) throw new InvalidJobError(index, field, problem);
}

function checkWhole(index: number, field: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InvalidJobError(
      index,
      field,
      `is ${describedValue(value)}, but must be a whole number from ${min} to ${max}`,
    );
  }
}
