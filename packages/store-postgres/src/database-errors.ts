import { HoldfastError, StoreFailedError, StoreFullError } from '@holdfast/contract';

/**
 * Where a call was when it failed. `unsent`: it had no connection yet. `sent`: one statement that commits by itself. `open`: in a transaction that
 * was not asked to commit. `committing`: after that.
 */
export type Phase = 'unsent' | 'sent' | 'open' | 'committing';

const DISK_FULL = '53100';
/** Deadlock, serialization failure: the database undid the call and asks to repeat it. */
const REPEATABLE: readonly unknown[] = ['40P01', '40001'];

interface ServerError {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
}

function isServerError(error: unknown): error is ServerError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string';
}

export function isRepeatable(error: unknown): boolean {
  return isServerError(error) && REPEATABLE.includes(error.code);
}

/** The server is well and refused this statement: nothing is wrong with the connection. */
export function isRefusal(error: unknown): boolean {
  return isServerError(error) && error.severity === 'ERROR';
}

/** What the caller is told. An error of the store's own is passed on. */
export function callFailure(error: unknown, phase: Phase, location: string): HoldfastError {
  if (error instanceof HoldfastError) return error;
  if (isServerError(error) && error.code === DISK_FULL) return new StoreFullError(location, undefined);
  const applied = phase === 'unsent' || phase === 'open' || (phase === 'sent' && isRefusal(error));
  return new StoreFailedError(applied ? 'rejected' : 'unknown', detailOf(error, location), { cause: error });
}

export function detailOf(error: unknown, location: string): string {
  if (isServerError(error)) return `The database ${location} answered ${error.code}: ${error.message}.`;
  return `The database ${location} cannot be reached: ${reasonOf(error)}.`;
}

/** An attempt to connect to several addresses fails with an error that has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
