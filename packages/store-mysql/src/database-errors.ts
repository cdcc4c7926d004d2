import { type DriverErrors, reasonOf } from '@holdfast/sql-store';

/** The disk is full, as the server says it, or InnoDB for a table that cannot grow. */
const DISK_FULL: readonly unknown[] = [1021, 1114];
/**
 * Deadlock; a lock that was not given in time; a row that changed since a transaction began, which MariaDB refuses from 11.6 on. The first undoes the transaction, and
 * the store undoes it after the others: then the call can be made again.
 */
const REPEATABLE: readonly unknown[] = [1213, 1205, 1020];
/** The user lacks a right: on the database, on a table, or another one. */
const DENIED: readonly unknown[] = [1044, 1142, 1227];
/** The server ends the connection with these: it shuts down, or somebody has killed it. The last one is MariaDB's word for it. */
const ENDING: readonly unknown[] = [1053, 1152, 1158, 1159, 1160, 1161, 1317, 1927];

interface ServerError {
  readonly errno: number;
  readonly sqlState: string;
  readonly message: string;
}

function isServerError(error: unknown): error is Error & ServerError {
  return error instanceof Error && 'sqlState' in error && 'errno' in error && typeof error.errno === 'number';
}

/** Whether the user lacks a right. */
export function isDenied(error: unknown): boolean {
  return isServerError(error) && DENIED.includes(error.errno);
}

export const mysqlErrors: DriverErrors = {
  isRepeatable: (error) => isServerError(error) && REPEATABLE.includes(error.errno),
  isRefusal: (error) =>
    isServerError(error) && !ENDING.includes(error.errno) && !('fatal' in error && error.fatal === true),
  isDiskFull: (error) => isServerError(error) && DISK_FULL.includes(error.errno),
  detailOf(error, location) {
    if (isServerError(error)) return `The database ${location} answered ${error.errno}: ${error.message}.`;
    return `The database ${location} cannot be reached: ${reasonOf(error)}.`;
  },
};
