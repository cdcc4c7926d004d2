import { InvalidArgumentError, type Retention, type RetentionOptions } from '@holdfast/contract';
import { checkedMs, checkedRetention, checkWhole } from '@holdfast/contract/rules';
import pg from 'pg';
import type { PostgresPool } from './pool.js';
import { isSchemaName } from './statement.js';

/** Where the database is: a URL, options of `pg`, or a pool of the caller's. */
export interface PostgresConnection {
  readonly connectionString?: string;
  /** As `pg` takes them: host, port, user, password, database, ssl, … */
  readonly connection?: Readonly<Record<string, unknown>>;
  /** Used instead of a pool of the store's own, and left open by `close`. */
  readonly pool?: PostgresPool;
  /** Default: `holdfast`. */
  readonly schema?: string;
  /** After so long without a connection the database counts as unreachable. Default: 5000. */
  readonly connectTimeoutMs?: number;
  /**
   * A call that the database does not answer for so long fails, and its connection is given up: how a network that swallows everything is noticed. Of
   * the store's own pool. Default: 30000.
   */
  readonly callTimeoutMs?: number;
}

export interface PostgresStoreOptions extends PostgresConnection {
  /** Of the store's own pool, without the one that listens. Default: 10. */
  readonly connectionsMax?: number;
  /** Keeps one connection for `LISTEN` and locks. `false` behind a pooler that gives a connection for a transaction only. Default: true. */
  readonly session?: boolean;
  /** Prepares statements once a connection. Default: as `session`. */
  readonly prepare?: boolean;
  /** A waiting claim looks by itself this often. Default: 1000. */
  readonly pollMs?: number;
  /** The leader looks this often for what is due. Default: 1000. */
  readonly sweepMs?: number;
  /** Makes the schema and brings it up to date. Default: true. */
  readonly migrate?: boolean;
  /** How many jobs that came to an end are kept, and for how long. */
  readonly retention?: RetentionOptions;
  /** Opens a database that may lose what it answered (`synchronous_commit = off`) all the same. Default: false. */
  readonly acceptDataLoss?: boolean;
}

export interface CheckedConnection {
  readonly schema: string;
  /** For messages: without a password. */
  readonly location: string;
  readonly connectTimeoutMs: number;
  /** A pool of so many connections, and how to let go of it. One of the caller's is left as it is. */
  pool(connectionsMax: number, isSession: boolean): { readonly pool: PostgresPool; end(): Promise<void> };
}

export interface CheckedOptions extends CheckedConnection {
  readonly connectionsMax: number;
  readonly session: boolean;
  readonly prepare: boolean;
  readonly pollMs: number;
  readonly sweepMs: number;
  readonly migrate: boolean;
  readonly retention: Retention;
  readonly acceptDataLoss: boolean;
}

const CONNECT_TIMEOUT_MS = 5000;
const CALL_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS_MAX = 3_600_000;
const LOOK_MS_MIN = 10;
const LOOK_MS_MAX = 60_000;

/** @throws InvalidArgumentError */
export function checkedOptions(options: PostgresStoreOptions): CheckedOptions {
  const connection = checkedConnection(options);
  const { connectionsMax = 10, session = true, prepare = session, pollMs = 1000, sweepMs = 1000 } = options;
  checkWhole('connectionsMax', connectionsMax, 1, 1000);
  return {
    ...connection,
    connectionsMax,
    session,
    prepare,
    pollMs: checkedMs('pollMs', pollMs, LOOK_MS_MIN, LOOK_MS_MAX),
    sweepMs: checkedMs('sweepMs', sweepMs, LOOK_MS_MIN, LOOK_MS_MAX),
    migrate: options.migrate ?? true,
    retention: checkedRetention(options.retention),
    acceptDataLoss: options.acceptDataLoss ?? false,
  };
}

/** @throws InvalidArgumentError */
export function checkedConnection(options: PostgresConnection): CheckedConnection {
  const { connectionString, connection, pool, schema = 'holdfast', connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
  const callMs = checkedMs('callTimeoutMs', options.callTimeoutMs ?? CALL_TIMEOUT_MS, 1, CALL_TIMEOUT_MS_MAX);
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
  const timeoutMs = checkedMs('connectTimeoutMs', connectTimeoutMs, 1, LOOK_MS_MAX);
  const config = { ...(connectionString === undefined ? connection : { connectionString }) };
  return {
    schema,
    location: pool === undefined ? locationOf(config) : 'of the given pool',
    connectTimeoutMs: timeoutMs,
    pool: (connectionsMax, isSession) =>
      pool === undefined
        ? ownPool({ query_timeout: callMs, ...config }, connectionsMax, timeoutMs, isSession)
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

/** Host, port and database, as the driver understands them. */
function locationOf(config: pg.PoolConfig): string {
  const { host, port, database } = new pg.Client(config);
  return `${host}:${port}/${database ?? ''}`;
}
