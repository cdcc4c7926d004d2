import { type DriverErrors, reasonOf } from '@holdfast/sql-store';

const DISK_FULL = '53100';
const DENIED = '42501';
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

/** Whether the role lacks a right. */
export function isDenied(error: unknown): boolean {
  return isServerError(error) && error.code === DENIED;
}

export const postgresErrors: DriverErrors = {
  isRepeatable: (error) => isServerError(error) && REPEATABLE.includes(error.code),
  isRefusal: (error) => isServerError(error) && error.severity === 'ERROR',
  isDiskFull: (error) => isServerError(error) && error.code === DISK_FULL,
  detailOf(error, location) {
    if (isServerError(error)) return `The database ${location} answered ${error.code}: ${error.message}.`;
    return `The database ${location} cannot be reached: ${reasonOf(error)}.`;
  },
};
