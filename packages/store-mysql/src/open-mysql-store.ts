import { randomBytes } from 'node:crypto';
import { HoldfastError, StoreOpenError } from '@holdfast/contract';
import { SqlStore, StoreCondition } from '@holdfast/sql-store';
import { Database, SERVER_NOW } from './database.js';
import { mysqlErrors } from './database-errors.js';
import { lackedRight } from './lacked-right.js';
import { type MigrationPlan, migrate, migrationText, missingMigrations } from './migrate.js';
import type { MysqlStore } from './mysql-store.js';
import {
  type CheckedConnection,
  type CheckedOptions,
  checkedConnection,
  checkedOptions,
  type MysqlConnection,
  type MysqlStoreOptions,
} from './options.js';
import { checkServer } from './server.js';
import { MysqlLink } from './session-link.js';
import { MysqlTransactions } from './transactions.js';
import type { Surroundings } from './work.js';

/** The clock of the server, and chance. */
export const REAL: Surroundings = {
  now: SERVER_NOW,
  random: { fraction: () => Math.random(), bytes: (count) => new Uint8Array(randomBytes(count)) },
};

/**
 * Opens the store in a database, and makes its schema if it is not there.
 * @throws InvalidArgumentError; StoreOpenError where the database cannot be reached in time, or could not keep the store's promises
 */
export async function openMysqlStore(options: MysqlStoreOptions): Promise<MysqlStore> {
  return openChecked(checkedOptions(options), REAL);
}

/** With time and chance by argument. For tests. @internal */
export async function openMysqlStoreIn(options: MysqlStoreOptions, surroundings: Surroundings): Promise<MysqlStore> {
  return openChecked(checkedOptions(options), surroundings);
}

/** What `HoldfastModule.forRoot({ store })` takes: opens the store when the application starts. The module closes it. */
export interface MysqlStoreSource {
  readonly location: string;
  open(): Promise<MysqlStore>;
}

/**
 * Never throws: a module whose store a test replaces can be imported where there is no database. What `openMysqlStore` throws
 * ends the start of the application.
 */
export function mysqlStore(options: MysqlStoreOptions): MysqlStoreSource {
  return { location: placeOf(options), open: () => openMysqlStore(options) };
}

/** What is wrong with the options is told when they are used. */
function placeOf(options: MysqlStoreOptions): string {
  try {
    return checkedOptions(options).location;
  } catch {
    return 'a MySQL database';
  }
}

export interface MigrateOptions extends MysqlConnection {
  /** Changes nothing. */
  readonly dryRun?: boolean;
}

/** Brings the schema up to date. @returns the SQL that ran, or with `dryRun` would run; empty where nothing is missing */
export async function migrateMysqlStore(options: MigrateOptions): Promise<string> {
  const connection = checkedConnection(options);
  const { pool, end } = connection.pool(1);
  const database = new Database({ ...connection, pool, surroundings: REAL, reached: () => {} });
  try {
    return await opening(connection, database, async () => {
      const plan = await planOf(database, connection, { acceptDataLoss: true });
      const missing = await missingMigrations(plan);
      if (options.dryRun === true || missing.length === 0)
        return missing.length === 0 ? '' : migrationText(missing, plan);
      const ran = await migrate(plan);
      return ran.length === 0 ? '' : migrationText(ran, plan);
    });
  } finally {
    await end();
  }
}

async function planOf(
  database: Database,
  { schema }: CheckedConnection,
  { acceptDataLoss }: { readonly acceptDataLoss: boolean },
): Promise<MigrationPlan> {
  return { database, server: await checkServer(database, acceptDataLoss), schema, now: SERVER_NOW };
}

async function openChecked(options: CheckedOptions, surroundings: Surroundings): Promise<MysqlStore> {
  const { schema, location } = options;
  const condition = new StoreCondition((error) => mysqlErrors.detailOf(error, location));
  const own = options.pool(options.connectionsMax);
  const ofSession = options.session ? options.pool(1) : undefined;
  const ends = async () => {
    await Promise.all([own.end(), ofSession?.end()]);
  };
  const database = new Database({ ...options, pool: own.pool, surroundings, reached: condition.reached });
  try {
    return await opening(options, database, async () => {
      await bringUpToDate(await planOf(database, options, options), options);
      const { callTimeoutMs } = options;
      const link = ofSession && new MysqlLink({ pool: ofSession.pool, schema, location, callTimeoutMs, surroundings });
      return SqlStore.begin({
        kind: 'mysql',
        location: `${location}, schema ${schema}`,
        database,
        condition,
        retention: options.retention,
        pollMs: options.pollMs,
        pollMsMin: options.pollMsMin,
        sweepMs: options.sweepMs,
        link,
        transactions: new MysqlTransactions(database, schema, surroundings, link),
        ends,
      });
    });
  } catch (error) {
    await ends();
    throw error;
  }
}

/** @throws StoreOpenError where something is missing that this process may not add */
async function bringUpToDate(plan: MigrationPlan, { schema, location, migrate: mayMigrate }: CheckedOptions) {
  const missing = await missingMigrations(plan);
  if (missing.length === 0) return;
  if (!mayMigrate) {
    const problem = `its schema ${schema} lacks migrations (${missing.length}), and this process may not run them (migrate: false).`;
    throw new StoreOpenError(
      location,
      `${problem} Run them with migrateMysqlStore first, or name the schema that has the store.`,
    );
  }
  await migrate(plan);
}

/** @throws StoreOpenError whatever the database answered */
async function opening<Answer>(
  { location, schema }: CheckedConnection,
  database: Database,
  open: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof HoldfastError && error.code !== 'STORE_FAILED') throw error;
    const cause = error instanceof HoldfastError ? error.cause : error;
    const advice = await lackedRight(database, schema, cause);
    const detail = mysqlErrors.detailOf(cause, location);
    throw new StoreOpenError(location, advice === undefined ? detail : `${detail} ${advice}`, { cause });
  }
}
