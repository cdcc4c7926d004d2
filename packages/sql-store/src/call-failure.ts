import { HoldfastError, StoreFailedError, StoreFullError } from '@holdfast/contract';

/**
 * Where a call was when it failed. `unsent`: it had no connection yet. `sent`: one statement that commits by itself. `open`: in a transaction that
 * was not asked to commit. `committing`: after that.
 */
export type Phase = 'unsent' | 'sent' | 'open' | 'committing';

/** What the errors of a driver mean. */
export interface DriverErrors {
  /** The database undid the call and asks to repeat it: a deadlock, a serialization failure. */
  isRepeatable(error: unknown): boolean;
  /** The server is well and refused this statement: nothing is wrong with the connection. */
  isRefusal(error: unknown): boolean;
  isDiskFull(error: unknown): boolean;
  /** In words, for people. */
  detailOf(error: unknown, location: string): string;
}

/** What the caller is told. An error of the store's own is passed on. */
export function callFailure(error: unknown, phase: Phase, location: string, errors: DriverErrors): HoldfastError {
  if (error instanceof HoldfastError) return error;
  if (errors.isDiskFull(error)) return new StoreFullError(location, undefined);
  const isUndone = phase === 'unsent' || phase === 'open' || (phase === 'sent' && errors.isRefusal(error));
  return new StoreFailedError(isUndone ? 'rejected' : 'unknown', errors.detailOf(error, location), { cause: error });
}

/** An attempt to connect to several addresses fails with an error that has no message of its own. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
