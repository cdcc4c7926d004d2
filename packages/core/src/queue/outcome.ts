import { type JobAbortedError, type JobError, type Payload, UnrecoverableError } from '@holdfast/contract';
import { cutText } from '@holdfast/contract/rules';
import { LIMITS } from '../limits.js';

/** How an attempt ends, before the store is told. */
export type Outcome =
  | { readonly kind: 'completed'; readonly result?: Payload }
  | { readonly kind: 'failed'; readonly thrown: unknown; readonly next: 'backoff' | 'dead' }
  | { readonly kind: 'released' };

/** A handler that gives up because its worker closes has not failed: the job goes back uncounted. */
export function outcomeOfThrow(thrown: unknown, aborted: JobAbortedError | undefined): Outcome {
  if (aborted?.reason === 'shutdown' && isEchoOf(thrown, aborted)) return { kind: 'released' };
  return { kind: 'failed', thrown, next: thrown instanceof UnrecoverableError ? 'dead' : 'backoff' };
}

/**
 * `fetch` rejects with the signal's reason; timers and streams with an AbortError, mostly with the reason as its cause.
 */
function isEchoOf(thrown: unknown, aborted: JobAbortedError): boolean {
  return thrown === aborted || (thrown instanceof Error && (thrown.cause === aborted || thrown.name === 'AbortError'));
}

const CAUSES_MAX = 3;

/**
 * What is kept of an error, cut to the store's limits; the stack carries the causes too, which often are the real
 * story.
 */
export function toJobError(thrown: unknown): JobError {
  if (!(thrown instanceof Error)) {
    const type = thrown === null ? 'null' : typeof thrown;
    return { class: type, message: cutText(describe(thrown), LIMITS.errorMessageBytesMax) };
  }
  const error = {
    class: cutText(className(thrown), LIMITS.errorClassBytesMax),
    message: cutText(String(thrown.message), LIMITS.errorMessageBytesMax),
  };
  const stack = stackWithCauses(thrown);
  return stack === '' ? error : { ...error, stack: cutText(stack, LIMITS.errorStackBytesMax) };
}

/** Most classes that extend Error do not set `name`. */
function className(error: Error): string {
  return error.name === 'Error' ? error.constructor.name || 'Error' : String(error.name);
}

function stackWithCauses(error: Error): string {
  const stacks = [error.stack ?? ''];
  let cause = error.cause;
  for (let depth = 0; depth < CAUSES_MAX && cause !== undefined; depth++) {
    stacks.push(`caused by ${cause instanceof Error ? (cause.stack ?? cause.message) : describe(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  return stacks.join('\n');
}

function describe(value: unknown): string {
  try {
    return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
