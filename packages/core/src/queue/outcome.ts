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
  const isEcho = aborted?.reason === 'shutdown' && readOr(false, () => isEchoOf(thrown, aborted));
  if (isEcho) return { kind: 'released' };
  const isLast = readOr(false, () => thrown instanceof UnrecoverableError);
  return { kind: 'failed', thrown, next: isLast ? 'dead' : 'backoff' };
}

/**
 * `fetch` rejects with the signal's reason; timers and streams with an AbortError, mostly with the reason as its cause.
 */
function isEchoOf(thrown: unknown, aborted: JobAbortedError): boolean {
  return thrown === aborted || (thrown instanceof Error && (thrown.cause === aborted || thrown.name === 'AbortError'));
}

const CAUSES_MAX = 3;
const UNREADABLE = '(cannot be read)';

/**
 * What is kept of an error, cut to the store's limits; the stack carries the causes too, which often are the real
 * story. Never throws, whatever was thrown: an attempt that failed must end as one.
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
    message: cutText(
      readOr(UNREADABLE, () => String(thrown.message)),
      LIMITS.errorMessageBytesMax,
    ),
  };
  const stack = stackWithCauses(thrown);
  return stack === '' ? error : { ...error, stack: cutText(stack, LIMITS.errorStackBytesMax) };
}

/** Most classes that extend Error do not set `name`. */
function className(error: Error): string {
  return String(error.name === 'Error' ? error.constructor.name || 'Error' : error.name);
}

function stackWithCauses(error: Error): string {
  const stacks = [readOr('', () => String(error.stack ?? ''))];
  let cause = causeOf(error);
  for (let depth = 0; depth < CAUSES_MAX && cause !== undefined; depth++) {
    stacks.push(`caused by ${describeCause(cause)}`);
    cause = isError(cause) ? causeOf(cause) : undefined;
  }
  return stacks.join('\n');
}

function causeOf(error: Error): unknown {
  return readOr(undefined, () => error.cause);
}

function describeCause(cause: unknown): string {
  return isError(cause) ? readOr(UNREADABLE, () => String(cause.stack ?? cause.message)) : describe(cause);
}

function describe(value: unknown): string {
  if (typeof value !== 'object' || value === null) return readOr(UNREADABLE, () => String(value));
  const json: string | undefined = readOr(undefined, () => JSON.stringify(value));
  return json ?? readOr(UNREADABLE, () => Object.prototype.toString.call(value));
}

function isError(thrown: unknown): thrown is Error {
  return readOr(false, () => thrown instanceof Error);
}

/** Anything can be thrown, also what throws when it is looked at: a getter, a proxy. */
function readOr<Value>(otherwise: Value, read: () => Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
