import { HoldfastError, StoreOpenError } from '@holdfast/contract';
import { SqlStore, StoreCondition } from '@holdfast/sql-store';
import { Calls } from './calls.js';
import { checkConnections } from './check-connections.js';
import { checkServer } from './check-server.js';
import { Database } from './database.js';
import { postgresErrors } from './database-errors.js';
import { lackedRight } from './lacked-right.js';
import { migrate, neededUpgrade, upgradeText } from './migrate.js';
import {
  type CheckedConnection,
  type CheckedOptions,
  checkedConnection,
  checkedOptions,
  type PostgresConnection,
  type PostgresStoreOptions,
} from './options.js';
import type { PostgresPool } from './pool.js';
import type { PostgresStore } from './postgres-store.js';
import { PostgresLink } from './session-link.js';
import { StoreDatabase } from './store-database.js';
import { PostgresTransactions } from './transactions.js';

/**
 * Opens the store in a database, and makes its schema if it is not there.
 * @throws InvalidArgumentError; StoreOpenError where the database cannot be reached in time, or could not keep the store's promises
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  return openChecked(checkedOptions(options));
}

/** What `HoldfastModule.forRoot({ store })` takes: opens the store when the application starts. The module closes it. */
export interface PostgresStoreSource {
  readonly location: string;
  open(): Promise<PostgresStore>;
}

/**
 * Never throws: a module whose store a test replaces can be imported where there is no database. What `openPostgresStore` throws
 * ends the start of the application.
 */
export function postgresStore(options: PostgresStoreOptions): PostgresStoreSource {
  return { location: placeOf(options), open: () => openPostgresStore(options) };
}

/** What is wrong with the options is told when they are used. */
function placeOf(options: PostgresStoreOptions): string {
  try {
    return checkedOptions(options).location;
  } catch {
    return 'a PostgreSQL database';
  }
}

export interface MigrateOptions extends PostgresConnection {
  /** Changes nothing. */
  readonly dryRun?: boolean;
}

/** Brings the schema up to date. @returns the SQL that ran, or with `dryRun` would run; empty where nothing is missing */
export async function migratePostgresStore(options: MigrateOptions): Promise<string> {
  const connection = checkedConnection(options);
  const { schema, location } = connection;
  const { pool, end } = connection.pool(1, false);
  const database = new Database({ ...connection, pool, prepare: false, reached: () => {} });
  try {
    return await openingOn(database, connection, async () => {
      const upgrade = await neededUpgrade(database, schema, location);
      if (options.dryRun === true || upgrade.missing.length === 0) return upgradeText(upgrade, schema);
      return database.transaction((queries) => migrate(queries, schema, location));
    });
  } finally {
    await end();
  }
}

async function openChecked(options: CheckedOptions): Promise<PostgresStore> {
  const { location } = options;
  await opening(options, () => checkConnections(options));
  const condition = new StoreCondition((error) => postgresErrors.detailOf(error, location));
  const own = options.pool(options.connectionsMax, options.session);
  const ofSession = options.session ? options.pool(1, true) : undefined;
  const ends = async () => {
    await Promise.all([own.end(), ofSession?.end()]);
  };
  for (const { pool } of [own, ...(ofSession === undefined ? [] : [ofSession])]) ignoreIdleErrors(pool);
  const database = new Database({ ...options, pool: own.pool, reached: condition.reached });
  try {
    return await openingOn(database, options, async () => {
      await checkServer(database, location, options.acceptDataLoss);
      await bringUpToDate(database, options);
      return begin(options, { database, condition, sessionPool: ofSession?.pool, ends });
    });
  } catch (error) {
    await ends();
    throw error;
  }
}

interface Opened {
  readonly database: Database;
  readonly condition: StoreCondition;
  readonly sessionPool: PostgresPool | undefined;
  readonly ends: () => Promise<void>;
}

async function begin(
  options: CheckedOptions,
  { database, condition, sessionPool, ends }: Opened,
): Promise<PostgresStore> {
  const { schema, location, callTimeoutMs, retention, pollMs, sweepMs } = options;
  const calls = new Calls(schema);
  await database.run(calls.statements.adopt);
  return SqlStore.begin({
    kind: 'postgres',
    location: `${location}, schema ${schema}`,
    database: new StoreDatabase(database, calls),
    condition,
    retention,
    pollMs,
    // Other processes tell by notifications, so there is nothing to look for in between.
    pollMsMin: pollMs,
    sweepMs,
    link: sessionPool && new PostgresLink({ pool: sessionPool, schema, location, callTimeoutMs, calls }),
    transactions: new PostgresTransactions(database, calls),
    ends,
  });
}

/** A connection of the pool that nobody uses was closed by the server: the pool has forgotten it already. */
function ignoreIdleErrors(pool: PostgresPool): void {
  pool.on('error', () => {});
}

/** @throws StoreOpenError where something is missing that this process may not add */
async function bringUpToDate(database: Database, { schema, location, migrate: mayMigrate }: CheckedOptions) {
  const { missing } = await neededUpgrade(database, schema, location);
  if (missing.length === 0) return;
  if (!mayMigrate) {
    const problem = `its schema ${schema} lacks migrations (${missing.length}), and this process may not run them (migrate: false).`;
    throw new StoreOpenError(
      location,
      `${problem} Run them with migratePostgresStore first, or name the schema that has the store.`,
    );
  }
  await database.transaction((queries) => migrate(queries, schema, location));
}

/** @throws StoreOpenError that says also which right is missing, if it is one */
function openingOn<Answer>(database: Database, connection: CheckedConnection, open: () => Promise<Answer>) {
  return opening(connection, open, (cause) => lackedRight(database, connection.schema, cause));
}

/** @throws StoreOpenError whatever the database answered */
async function opening<Answer>(
  { location }: CheckedConnection,
  open: () => Promise<Answer>,
  adviceOn: (cause: unknown) => Promise<string | undefined> = async () => undefined,
): Promise<Answer> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof HoldfastError && error.code !== 'STORE_FAILED') throw error;
    const cause = error instanceof HoldfastError ? error.cause : error;
    const advice = await adviceOn(cause);
    const detail = postgresErrors.detailOf(cause, location);
    throw new StoreOpenError(location, advice === undefined ? detail : `${detail} ${advice}`, { cause });
  }
}
