import { InvalidArgumentError, type Retention, type RetentionOptions } from '@holdfast/contract';
import { checkedMs, checkedRetention, checkWhole } from '@holdfast/contract/rules';
import mysql from 'mysql2/promise';
import type { MysqlPool } from './pool.js';
import { isSchemaName } from './sql-text.js';

/** Where the database is: a URL, options of `mysql2`, or a pool of the caller's. */
export interface MysqlConnection {
  readonly connectionString?: string;
  /** As `mysql2` takes them: host, port, user, password, ssl, … */
  readonly connection?: Readonly<Record<string, unknown>>;
  /** Of `mysql2/promise`. Used instead of a pool of the store's own, and left open by `close`. */
  readonly pool?: MysqlPool;
  /** The tables live in a database of their own. Default: `holdfast`. */
  readonly schema?: string;
  /** After so long without a connection the database counts as unreachable. Default: 5000. */
  readonly connectTimeoutMs?: number;
  /**
   * A statement that the database does not answer for so long fails, and its connection is given up: how a network that swallows everything is noticed.
   * Default: 30000.
   */
  readonly callTimeoutMs?: number;
}

export interface MysqlStoreOptions extends MysqlConnection {
  /** Of the store's own pool, without the one that holds the locks. Default: 10. */
  readonly connectionsMax?: number;
  /** Keeps one connection for locks. `false` behind a pooler that gives a connection for a transaction only. Default: true. */
  readonly session?: boolean;
  /** A waiting claim looks by itself this often where nothing was found for a while. Default: 1000. */
  readonly pollMs?: number;
  /** It looks this often where jobs were found a moment ago. Default: 50, or `pollMs` if that is less. */
  readonly pollMsMin?: number;
  /** The leader looks this often for what is due. Default: 1000. */
  readonly sweepMs?: number;
  /** Makes the schema and brings it up to date. Default: true. */
  readonly migrate?: boolean;
  /** How many jobs that came to an end are kept, and for how long. */
  readonly retention?: RetentionOptions;
  /** Opens a database that may lose what it answered (`innodb_flush_log_at_trx_commit`, `sync_binlog`) all the same. Default: false. */
  readonly acceptDataLoss?: boolean;
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

export interface CheckedOptions extends CheckedConnection {
  readonly connectionsMax: number;
  readonly session: boolean;
  readonly pollMs: number;
  readonly pollMsMin: number;
  readonly sweepMs: number;
  readonly migrate: boolean;
  readonly retention: Retention;
  readonly acceptDataLoss: boolean;
}

const CONNECT_TIMEOUT_MS = 5000;
const CALL_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS_MAX = 3_600_000;
const POLL_MS_MIN = 50;
const LOOK_MS_MIN = 10;
const LOOK_MS_MAX = 60_000;
/** Then the call is made again, so that nobody waits for a lock that another waits for in turn. */
const LOCK_WAIT_S = 3;

/** @throws InvalidArgumentError */
export function checkedOptions(options: MysqlStoreOptions): CheckedOptions {
  const connection = checkedConnection(options);
  const { connectionsMax = 10, session = true, pollMs = 1000, sweepMs = 1000 } = options;
  const { pollMsMin = Math.min(POLL_MS_MIN, pollMs) } = options;
  checkWhole('connectionsMax', connectionsMax, 1, 1000);
  return {
    ...connection,
    connectionsMax,
    session,
    pollMs: checkedMs('pollMs', pollMs, LOOK_MS_MIN, LOOK_MS_MAX),
    pollMsMin: checkedMs('pollMsMin', pollMsMin, LOOK_MS_MIN, pollMs),
    sweepMs: checkedMs('sweepMs', sweepMs, LOOK_MS_MIN, LOOK_MS_MAX),
    migrate: options.migrate ?? true,
    retention: checkedRetention(options.retention),
    acceptDataLoss: options.acceptDataLoss ?? false,
  };
}

/** @throws InvalidArgumentError */
export function checkedConnection(options: MysqlConnection): CheckedConnection {
  const { connectionString, connection, pool, schema = 'holdfast' } = options;
  const callTimeoutMs = checkedMs('callTimeoutMs', options.callTimeoutMs ?? CALL_TIMEOUT_MS, 1, CALL_TIMEOUT_MS_MAX);
  const connectTimeoutMs = checkedMs(
    'connectTimeoutMs',
    options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
    1,
    LOOK_MS_MAX,
  );
  if (!isSchemaName(schema)) {
    throw new InvalidArgumentError(
      'schema',
      schema,
      'small letters, digits and _, at most 41, not beginning with a digit',
    );
  }
  const given = [connectionString, connection, pool].filter((one) => one !== undefined).length;
  if (given !== 1) {
    throw new InvalidArgumentError(
      'The connection',
      `${given} of connectionString, connection and pool`,
      'exactly one of them',
    );
  }
  const config: mysql.PoolOptions = connectionString === undefined ? { ...connection } : { uri: connectionString };
  return {
    schema,
    location: pool === undefined ? locationOf(config) : 'of the given pool',
    connectTimeoutMs,
    callTimeoutMs,
    isOwnPool: pool === undefined,
    pool: (connectionsMax) =>
      pool === undefined
        ? ownPool({ connectTimeout: connectTimeoutMs, ...config }, connectionsMax)
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

function ownPool(config: mysql.PoolOptions, connectionLimit: number) {
  const pool = mysql.createPool({ ...config, connectionLimit, charset: 'utf8mb4_unicode_ci', enableKeepAlive: true });
  // Sent before whatever the connection was made for. One that fails is told by that.
  pool.pool.on('connection', (connection) => {
    for (const setting of SETTINGS) connection.query(setting, () => {});
  });
  return { pool, end: () => pool.end() };
}

/** Host, port and database. @throws InvalidArgumentError */
function locationOf({ uri, host = '127.0.0.1', port = 3306, database = '', socketPath }: mysql.PoolOptions): string {
  if (uri === undefined) return socketPath ?? `${host}:${port}/${database}`;
  if (!URL.canParse(uri))
    throw new InvalidArgumentError('connectionString', 'a text', 'a URL: mysql://user@host/database');
  const url = new URL(uri);
  return `${url.hostname}:${url.port || 3306}${url.pathname || '/'}`;
}
