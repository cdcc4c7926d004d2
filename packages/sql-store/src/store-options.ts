import { InvalidArgumentError, type Retention, type RetentionOptions } from '@holdfast/contract';
import { checkedMs, checkedRetention, checkWhole } from '@holdfast/contract/rules';
import { isOfDatabase, isSchemaName } from './schema-name.js';

/** Where the database is: a URL, options of the driver, or a pool of the caller's. */
export interface SqlConnectionOptions<Pool> {
  /** `undefined`, as of an environment variable that is not set, is refused when the store is opened. */
  readonly connectionString?: string | undefined;
  /** As the driver takes them: host, port, user, password, ssl, … */
  readonly connection?: Readonly<Record<string, unknown>>;
  /** Used instead of a pool of the store's own, and left open by `close`. */
  readonly pool?: Pool;
  /** The tables have it for their own. Default: `holdfast`. */
  readonly schema?: string;
  /** After so long without a connection the database counts as unreachable. Default: 5000. */
  readonly connectTimeoutMs?: number;
  /**
   * What the database does not answer for so long fails, and its connection is given up: how a network that swallows everything is noticed. Default: 30000.
   */
  readonly callTimeoutMs?: number;
}

export interface SqlStoreOptions {
  /** Of the store's own pool, without the one that it keeps for the session. Default: 10. */
  readonly connectionsMax?: number;
  /** Keeps one connection for locks, and to listen. `false` behind a pooler that gives a connection for a transaction only. Default: true. */
  readonly session?: boolean;
  /** A waiting claim looks by itself this often. Default: 1000. */
  readonly pollMs?: number;
  /** The leader looks this often for what is due. Default: 1000. */
  readonly sweepMs?: number;
  /** Makes the schema and brings it up to date. Default: true. */
  readonly migrate?: boolean;
  /** How many jobs that came to an end are kept, and for how long. */
  readonly retention?: RetentionOptions;
  /** Opens a database that may lose what it answered all the same. Default: false. */
  readonly acceptDataLoss?: boolean;
}

export type CheckedSqlOptions = Required<Omit<SqlStoreOptions, 'retention'>> & { readonly retention: Retention };

const CONNECT_TIMEOUT_MS = 5000;
const CALL_TIMEOUT_MS = 30_000;
const CALL_TIMEOUT_MS_MAX = 3_600_000;
const LOOK_MS_MAX = 60_000;
/** Nobody looks more often. */
export const LOOK_MS_MIN = 10;

/** @throws InvalidArgumentError */
export function checkedSqlOptions(options: SqlStoreOptions): CheckedSqlOptions {
  const { connectionsMax = 10, session = true, pollMs = 1000, sweepMs = 1000 } = options;
  checkWhole('connectionsMax', connectionsMax, 1, 1000);
  return {
    connectionsMax,
    session,
    pollMs: checkedMs('pollMs', pollMs, LOOK_MS_MIN, LOOK_MS_MAX),
    sweepMs: checkedMs('sweepMs', sweepMs, LOOK_MS_MIN, LOOK_MS_MAX),
    migrate: options.migrate ?? true,
    retention: checkedRetention(options.retention),
    acceptDataLoss: options.acceptDataLoss ?? false,
  };
}

/** What is alike in the ways to all databases. @throws InvalidArgumentError */
export function checkedSqlConnection<Pool>(options: SqlConnectionOptions<Pool>) {
  const { schema = 'holdfast' } = options;
  if (!isSchemaName(schema)) {
    const wanted = 'small letters, digits and _, at most 41, not beginning with a digit';
    throw new InvalidArgumentError('schema', schema, wanted);
  }
  if (isOfDatabase(schema)) {
    throw new InvalidArgumentError('schema', schema, 'a schema for the store alone, not one of the database itself');
  }
  checkOne(options);
  const { connectTimeoutMs = CONNECT_TIMEOUT_MS, callTimeoutMs = CALL_TIMEOUT_MS } = options;
  return {
    schema,
    connectTimeoutMs: checkedMs('connectTimeoutMs', connectTimeoutMs, 1, LOOK_MS_MAX),
    callTimeoutMs: checkedMs('callTimeoutMs', callTimeoutMs, 1, CALL_TIMEOUT_MS_MAX),
  };
}

/** For a URL that is none. Most often it is the password. */
export const URL_HINT = 'In a password # is written as %23, / as %2F, ? as %3F and @ as %40.';

/** @throws InvalidArgumentError */
function checkOne<Pool>(options: SqlConnectionOptions<Pool>): void {
  const { connectionString, connection, pool } = options;
  const given = [connectionString, connection, pool].filter((one) => one !== undefined).length;
  // A driver would take an empty text for a database of its own choice.
  if (connectionString === '' || (given === 0 && 'connectionString' in options)) {
    const hint = 'Is the environment variable set?';
    throw new InvalidArgumentError('connectionString', connectionString, 'the URL of a database', hint);
  }
  if (given === 1) return;
  const what = `${given} of connectionString, connection and pool`;
  throw new InvalidArgumentError('The connection', what, 'exactly one of them');
}
