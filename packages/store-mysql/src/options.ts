import { InvalidArgumentError } from '@holdfast/contract';
import { checkedMs } from '@holdfast/contract/rules';
import {
  type CheckedSqlOptions,
  checkedSqlConnection,
  checkedSqlOptions,
  LOOK_MS_MIN,
  type SqlConnectionOptions,
  type SqlStoreOptions,
  URL_HINT,
} from '@holdfast/sql-store';
import mysql from 'mysql2/promise';
import type { MysqlPool } from './pool.js';

/** Where the database is: a URL, options of `mysql2`, or a pool of `mysql2/promise` of the caller's. The schema is a database on the server. */
export type MysqlConnection = SqlConnectionOptions<MysqlPool>;

/** What may lose what it answered (`acceptDataLoss`) is a server with other values of `innodb_flush_log_at_trx_commit` or `sync_binlog` than 1. */
export interface MysqlStoreOptions extends MysqlConnection, SqlStoreOptions {
  /** A waiting claim looks this often where jobs were found a moment ago. Default: 50, or `pollMs` if that is less. */
  readonly pollMsMin?: number;
}

export interface CheckedConnection {
  readonly schema: string;
  /** For messages: without a password. */
  readonly location: string;
  readonly connectTimeoutMs: number;
  readonly callTimeoutMs: number;
  readonly isOwnPool: boolean;
  /** A pool of so many connections, and how to let go of it. One of the caller's is left as it is. */
  pool(connectionsMax: number): { readonly pool: MysqlPool; end(): Promise<void> };
}

export interface CheckedOptions extends CheckedConnection, CheckedSqlOptions {
  readonly pollMsMin: number;
}

const POLL_MS_MIN = 50;
/** Then the call is made again, so that nobody waits for a lock that another waits for in turn. */
const LOCK_WAIT_S = 3;

/** @throws InvalidArgumentError */
export function checkedOptions(options: MysqlStoreOptions): CheckedOptions {
  const checked = checkedSqlOptions(options);
  const { pollMsMin = Math.min(POLL_MS_MIN, checked.pollMs) } = options;
  if (checked.session) checkRoom(options.pool);
  return {
    ...checkedConnection(options),
    ...checked,
    pollMsMin: checkedMs('pollMsMin', pollMsMin, LOOK_MS_MIN, checked.pollMs),
  };
}

/** A store that keeps the only connection has none for its calls. */
function checkRoom(pool: MysqlPool | undefined): void {
  const limit = pool?.pool?.config?.connectionLimit;
  if (limit !== 1) return;
  const allowed = 'at least 2, because the store keeps a connection';
  throw new InvalidArgumentError('The connectionLimit of the given pool', limit, allowed, 'Or say session: false.');
}

/** @throws InvalidArgumentError */
export function checkedConnection(options: MysqlConnection): CheckedConnection {
  const { connectionString, connection, pool } = options;
  const checked = checkedSqlConnection(options);
  const { connectTimeoutMs } = checked;
  const config: mysql.PoolOptions = connectionString === undefined ? { ...connection } : { uri: connectionString };
  return {
    ...checked,
    location: pool === undefined ? locationOf(config) : 'of the given pool',
    isOwnPool: pool === undefined,
    pool: (connectionsMax) =>
      pool === undefined
        ? ownPool({ connectTimeout: connectTimeoutMs, ...config }, connectionsMax, checked.callTimeoutMs)
        : { pool, end: async () => {} },
  };
}

/**
 * READ COMMITTED, because the usual level locks gaps. The mode is that of a new MySQL, so that nothing is cut off without a word and texts are written as
 * the driver expects.
 */
const SETTINGS = [
  'set session transaction isolation level read committed',
  `set session sql_mode = 'ONLY_FULL_GROUP_BY,STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = ${LOCK_WAIT_S}`,
];
/** Whoever was cut off in a transaction would hold its locks until the server notices, which takes hours as it is set up usually. */
const SILENCE_S_MIN = 3;

function ownPool(config: mysql.PoolOptions, connectionLimit: number, callTimeoutMs: number) {
  const waitS = Math.max(SILENCE_S_MIN, Math.ceil(callTimeoutMs / 1000));
  const pool = mysql.createPool({ ...config, connectionLimit, charset: 'utf8mb4_unicode_ci', enableKeepAlive: true });
  // Sent before whatever the connection was made for. One that fails is told by that.
  pool.pool.on('connection', (connection) => {
    for (const setting of [...SETTINGS, `set session wait_timeout = ${waitS}`]) connection.query(setting, () => {});
  });
  // A connection that could not even be made is told here too.
  return { pool, end: () => pool.end().catch(() => {}) };
}

/** Host, port and database. @throws InvalidArgumentError */
function locationOf({ uri, host = '127.0.0.1', port = 3306, database = '', socketPath }: mysql.PoolOptions): string {
  if (uri === undefined) return socketPath ?? `${host}:${port}/${database}`;
  if (!URL.canParse(uri))
    throw new InvalidArgumentError('connectionString', 'a text', 'a URL: mysql://user@host/database', URL_HINT);
  const url = new URL(uri);
  return `${url.hostname}:${url.port || 3306}${url.pathname || '/'}`;
}
