import { InvalidArgumentError } from '@holdfast/contract';
import {
  type CheckedSqlOptions,
  checkedSqlConnection,
  checkedSqlOptions,
  type SqlConnectionOptions,
  type SqlStoreOptions,
  URL_HINT,
} from '@holdfast/sql-store';
import pg from 'pg';
import type { PostgresPool } from './pool.js';

/** Where the database is: a URL, options of `pg`, or a pool of the caller's. */
export type PostgresConnection = SqlConnectionOptions<PostgresPool>;

/** What may lose what it answered (`acceptDataLoss`) is a database with `synchronous_commit = off`. */
export interface PostgresStoreOptions extends PostgresConnection, SqlStoreOptions {
  /** Prepares statements once a connection. Default: as `session`. */
  readonly prepare?: boolean;
}

export interface CheckedConnection {
  readonly schema: string;
  /** For messages: without a password. */
  readonly location: string;
  readonly connectTimeoutMs: number;
  readonly callTimeoutMs: number;
  readonly isOwnPool: boolean;
  /** A pool of so many connections, and how to let go of it. One of the caller's is left as it is. */
  pool(connectionsMax: number, isSession: boolean): { readonly pool: PostgresPool; end(): Promise<void> };
}

export interface CheckedOptions extends CheckedConnection, CheckedSqlOptions {
  readonly prepare: boolean;
}

/** @throws InvalidArgumentError */
export function checkedOptions(options: PostgresStoreOptions): CheckedOptions {
  const checked = checkedSqlOptions(options);
  return { ...checkedConnection(options), ...checked, prepare: options.prepare ?? checked.session };
}

/** @throws InvalidArgumentError */
export function checkedConnection(options: PostgresConnection): CheckedConnection {
  const { connectionString, connection, pool } = options;
  const { schema, connectTimeoutMs, callTimeoutMs } = checkedSqlConnection(options);
  const config = { ...(connectionString === undefined ? connection : { connectionString }) };
  return {
    schema,
    location: pool === undefined ? locationOf(config) : 'of the given pool',
    connectTimeoutMs,
    callTimeoutMs,
    isOwnPool: pool === undefined,
    pool: (connectionsMax, isSession) =>
      pool === undefined
        ? ownPool({ query_timeout: callTimeoutMs, ...config }, connectionsMax, connectTimeoutMs, isSession)
        : { pool, end: async () => {} },
  };
}

/**
 * All statements find their rows by an index. A planner that was told about a queue when it was empty would rather sort all of its jobs for
 * each claim, for as long as its statistics are old; measured with test/claim-plan.test.ts. There is one good plan for all values, and to look for it
 * anew takes as long as a third of the claim.
 */
export const PLANNER =
  'set enable_seqscan = off; set enable_bitmapscan = off; set jit = off; set plan_cache_mode = force_generic_plan';

function ownPool(config: pg.PoolConfig, max: number, connectionTimeoutMillis: number, isSession: boolean) {
  const pool = new pg.Pool({ keepAlive: true, application_name: 'holdfast', ...config, max, connectionTimeoutMillis });
  // Behind a pooler a setting would stay with a connection that others use too.
  if (isSession) pool.on('connect', (client) => void client.query(PLANNER).catch(() => {}));
  return { pool, end: () => pool.end() };
}

/** Host, port and database, as the driver understands them. @throws InvalidArgumentError */
function locationOf(config: pg.PoolConfig): string {
  const { host, port, database } = clientOf(config);
  return `${host}:${port}/${database ?? ''}`;
}

function clientOf(config: pg.PoolConfig): pg.Client {
  const { connectionString } = config;
  const isText = connectionString === undefined || typeof connectionString === 'string';
  try {
    if (isText) return new pg.Client(config);
  } catch (error) {
    if (!(error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_URL')) throw error;
  }
  // Neither the text nor the error of the driver: a password may be in them.
  const given = isText ? 'a text that is no URL' : typeof connectionString;
  throw new InvalidArgumentError('connectionString', given, 'a URL: postgres://user@host/database', URL_HINT);
}
