import { HoldfastError, StoreFailedError } from '@holdfast/contract';

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
