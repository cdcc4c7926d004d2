import { HoldfastError, StoreFailedError } from '@holdfast/contract';
import type { Done } from './engine-calls.js';

/** Why an engine ends, and what the calls are told that may have been applied. */
export function failureOf(cause: unknown): { readonly failure: HoldfastError; readonly unknown: StoreFailedError } {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const unknown = new StoreFailedError('unknown', `The store failed: ${detail}.`, { cause });
  if (cause instanceof HoldfastError) return { failure: cause, unknown };
  return { failure: new StoreFailedError('unknown', `The log could not go on: ${detail}.`, { cause }), unknown };
}

/** What a call is told that came too late for the engine. */
export function notApplied(failure: HoldfastError): StoreFailedError {
  return new StoreFailedError('rejected', 'The store has failed and is no longer there.', { cause: failure });
}

/**
 * Makes a call that may break off before it is among those that wait for an answer: then `cutOff` is told, which answers it, and the cause is
 * thrown. Only the first answer is passed on, because the call may be among them already.
 */
export function callOnce<Answer>(
  done: Done<Answer>,
  call: (reply: Done<Answer>) => void,
  cutOff: (reply: Done<Answer>, unknown: StoreFailedError) => void,
): void {
  let isAnswered = false;
  const reply: Done<Answer> = (error, answer) => {
    if (isAnswered) return;
    isAnswered = true;
    done(error, answer);
  };
  try {
    call(reply);
  } catch (cause) {
    cutOff(reply, failureOf(cause).unknown);
    throw cause;
  }
}
