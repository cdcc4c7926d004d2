import {
  CancelJob,
  type FailItem,
  type JobAbortedError,
  type JobError,
  JobTimeoutError,
  type LeasedJob,
  type Payload,
  RetryAfter,
  Snooze,
  UnrecoverableError,
} from '@holdfast/contract';
import { cutText } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';
import { causesOf, innermostCause, isError, readOr } from './error-cause.js';

/** How an attempt ends, before the store is told. */
export type Outcome =
  | { readonly kind: 'completed'; readonly result?: Payload }
  | { readonly kind: 'failed'; readonly thrown: unknown; readonly next: Exclude<FailItem['then'], 'cancel'> }
  | { readonly kind: 'cancelled'; readonly thrown: unknown }
  | { readonly kind: 'released'; readonly delayMs?: number };

/** What a handler says by what it throws. One that gives up because its worker closes has not failed. */
export function outcomeOfThrow(thrown: unknown, aborted: JobAbortedError | undefined, timeout: Timeout): Outcome {
  if (aborted !== undefined && heeds(thrown, aborted)) {
    if (aborted.reason === 'shutdown') return { kind: 'released' };
    if (aborted.reason === 'timeout') return timedOut(timeout);
  }
  return readOr({ kind: 'failed', thrown, next: 'backoff' }, () => outcomeOfClass(thrown));
}

export interface Timeout {
  readonly job: LeasedJob;
  /** Infinity: none. */
  readonly timeoutMs: number;
}

export function timedOut({ job, timeoutMs }: Timeout): Outcome {
  return { kind: 'failed', thrown: new JobTimeoutError(job.id, timeoutMs), next: 'backoff' };
}

function outcomeOfClass(thrown: unknown): Outcome {
  if (thrown instanceof Snooze) return { kind: 'released', delayMs: thrown.delayMs };
  if (thrown instanceof CancelJob) return { kind: 'cancelled', thrown };
  if (thrown instanceof RetryAfter) return { kind: 'failed', thrown, next: { retryInMs: thrown.delayMs } };
  return { kind: 'failed', thrown, next: isUnrecoverable(thrown) ? 'dead' : 'backoff' };
}

/** Also by the name: that of another queue means the same, and so does ours where it was loaded twice. */
export function isUnrecoverable(thrown: unknown): boolean {
  if (typeof thrown !== 'object' || thrown === null) return false;
  return readOr(
    false,
    () => thrown instanceof UnrecoverableError || ('name' in thrown && thrown.name === 'UnrecoverableError'),
  );
}

/**
 * `fetch` rejects with the signal's reason; timers and streams with an AbortError, mostly with the reason as its cause.
 */
function isEchoOf(thrown: unknown, aborted: JobAbortedError): boolean {
  return thrown === aborted || (thrown instanceof Error && (thrown.cause === aborted || thrown.name === 'AbortError'));
}

/** Whether a handler gave up because its signal was aborted. */
export function heeds(thrown: unknown, aborted: JobAbortedError | undefined): boolean {
  return aborted !== undefined && readOr(false, () => isEchoOf(thrown, aborted));
}

const CAUSES_MAX = 3;
const UNREADABLE = '(cannot be read)';

/**
 * What is kept of an error, cut to the store's limits; the message names the innermost cause, which often
 * is the real story, and the stack carries the outer ones. Never throws, whatever was thrown: an attempt that failed must end as one.
 */
export function toJobError(thrown: unknown): JobError {
  if (!isError(thrown)) {
    const type = thrown === null ? 'null' : typeof thrown;
    return { class: type, message: cutText(describe(thrown), LIMITS.errorMessageBytesMax) };
  }
  const error = {
    class: cutText(
      readOr('Error', () => className(thrown)),
      LIMITS.errorClassBytesMax,
    ),
    message: messageWithCause(thrown),
  };
  const stack = stackWithCauses(thrown);
  return stack === '' ? error : { ...error, stack: cutText(stack, LIMITS.errorStackBytesMax) };
}

/** Most classes that extend Error do not set `name`. */
function className(error: Error): string {
  return String(error.name === 'Error' ? error.constructor.name || 'Error' : error.name);
}

/** Where a job is listed there is no room for its stack. */
function messageWithCause(error: Error): string {
  const message = readOr(UNREADABLE, () => String(error.message));
  const cause = innermostCause(error);
  const suffix = cause === undefined ? '' : ` (caused by ${cause})`;
  return `${cutText(message, LIMITS.errorMessageBytesMax - Buffer.byteLength(suffix))}${suffix}`;
}

function stackWithCauses(error: Error): string {
  const stack = readOr('', () => String(error.stack ?? ''));
  const causes = causesOf(error, CAUSES_MAX).map((cause) => `caused by ${describeCause(cause)}`);
  return [stack, ...causes].join('\n');
}

function describeCause(cause: unknown): string {
  return isError(cause) ? readOr(UNREADABLE, () => String(cause.stack ?? cause.message)) : describe(cause);
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return readOr(UNREADABLE, () => String(value));
  const json: string | undefined = readOr(undefined, () => JSON.stringify(value));
  return json ?? readOr(UNREADABLE, () => Object.prototype.toString.call(value));
}
