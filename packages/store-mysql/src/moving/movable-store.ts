import type { MovableStore } from '@holdfast/contract/moving';
import { MovableSqlStore, MoveFailures } from '@holdfast/sql-store';
import { mysqlErrors } from '../database-errors.js';
import { checkedConnection, type MysqlConnection } from '../options.js';
import { MysqlMoving } from './mysql-moving.js';

/** Counting all jobs is one statement. */
const CALL_TIMEOUT_MS = 3_600_000;

/** The store in a schema of MySQL or MariaDB as one that is moved, or moved to. */
export function movableMysqlStore(options: Omit<MysqlConnection, 'callTimeoutMs'>): MovableStore {
  const all = { callTimeoutMs: CALL_TIMEOUT_MS, ...options };
  const connection = checkedConnection(all);
  const location = `${connection.location} (schema ${connection.schema})`;
  const failures = new MoveFailures(location, connection.location, mysqlErrors);
  return new MovableSqlStore(new MysqlMoving(all, connection, location, failures), failures);
}
