import type { MovableStore } from '@holdfast/contract/moving';
import { MovableSqlStore, MoveFailures } from '@holdfast/sql-store';
import { postgresErrors } from '../database-errors.js';
import { checkedConnection, type PostgresConnection } from '../options.js';
import { PostgresMoving } from './postgres-moving.js';

/** Counting all jobs is one statement. */
const CALL_TIMEOUT_MS = 3_600_000;

/** The store in a schema of PostgreSQL as one that is moved, or moved to. */
export function movablePostgresStore(options: Omit<PostgresConnection, 'callTimeoutMs'>): MovableStore {
  const all = { callTimeoutMs: CALL_TIMEOUT_MS, ...options };
  const connection = checkedConnection(all);
  const location = `${connection.location} (schema ${connection.schema})`;
  const failures = new MoveFailures(location, connection.location, postgresErrors);
  return new MovableSqlStore(new PostgresMoving(all, connection, location, failures), failures);
}
