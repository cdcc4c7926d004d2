import { StoreOpenError } from '@holdfast/contract';
import {
  type HeldStore,
  type HeldTarget,
  inUse,
  type MoveFailures,
  type MovingDatabase,
  type StoreLooks,
} from '@holdfast/sql-store';
import { checkServer } from '../check-server.js';
import { Database } from '../database.js';
import { neededUpgrade } from '../migrate.js';
import { migratePostgresStore } from '../open-postgres-store.js';
import type { CheckedConnection, PostgresConnection } from '../options.js';
import { type Ask, asking, storeLooks, wholeRows } from './read-rows.js';
import * as text from './read-statements.js';
import { wholeTables } from './write-tables.js';

/** A store that is moved in or out of a schema of PostgreSQL: in one transaction, with the tables locked. */
export class PostgresMoving implements MovingDatabase {
  readonly location: string;
  readonly looks: StoreLooks;
  readonly end: () => Promise<void>;
  readonly #options: PostgresConnection;
  readonly #connection: CheckedConnection;
  readonly #failures: MoveFailures;
  readonly #database: Database;
  readonly #ask: Ask;

  constructor(options: PostgresConnection, connection: CheckedConnection, location: string, failures: MoveFailures) {
    this.#options = options;
    this.#connection = connection;
    this.#failures = failures;
    const { pool, end } = connection.pool(2, false);
    pool.on('error', () => {});
    this.location = location;
    this.end = end;
    this.#database = new Database({ ...connection, pool, prepare: false, reached: () => {} });
    this.#ask = asking(this.#database, connection.schema, failures);
    this.looks = storeLooks(this.#ask, location);
  }

  async place(): Promise<string> {
    const [found] = await this.#ask<{ database: string }>(text.DATABASE);
    return `postgres ${found?.database} ${this.#connection.schema}`;
  }

  async isThere(): Promise<boolean> {
    const { schema, location } = this.#connection;
    return (await neededUpgrade(this.#database, schema, location)).missing.length === 0;
  }

  async requireStore(): Promise<void> {
    const { schema, location } = this.#connection;
    await checkServer(this.#database, location, true);
    if (await this.isThere()) return;
    throw new StoreOpenError(
      location,
      `its schema ${schema} holds no store of this version. Name the schema that it is in, or open it with this version first.`,
    );
  }

  async make(): Promise<void> {
    await checkServer(this.#database, this.#connection.location, false);
    await migratePostgresStore(this.#options);
  }

  /** What the transaction sees begins behind the locks. */
  reading<Answer>(work: (store: HeldStore) => Promise<Answer>): Promise<Answer> {
    return this.#transaction('repeatable read', [text.HOLD_DOOR, text.HOLD_STILL], (ask) => work(this.#held(ask)));
  }

  writing<Answer>(work: (store: HeldTarget) => Promise<Answer>): Promise<Answer> {
    return this.#transaction('read committed', [text.HOLD_ALL], (ask) =>
      work({ ...this.#held(ask), tables: (atMs) => wholeTables(ask, atMs) }),
    );
  }

  #held(ask: Ask): HeldStore {
    return { looks: storeLooks(ask, this.location), rows: wholeRows(ask) };
  }

  #transaction<Answer>(
    isolation: string,
    locks: readonly string[],
    work: (ask: Ask) => Promise<Answer>,
  ): Promise<Answer> {
    return this.#database.transaction(async (queries) => {
      const ask = asking(queries, this.#connection.schema, this.#failures);
      await ask(`set transaction isolation level ${isolation}`);
      for (const setting of SETTINGS) await ask(`set local ${setting}`);
      for (const lock of locks) await this.#lock(ask, lock);
      return work(ask);
    });
  }

  async #lock(ask: Ask, statement: string): Promise<void> {
    try {
      await ask(statement);
    } catch (error) {
      throw isHeld(error) ? inUse(this.location) : error;
    }
  }
}

/**
 * Another store may have to be read in between. Every batch of jobs is found by the indexes: in tables that were filled a moment ago the planner
 * knows of no rows, and would read all of them for each batch.
 */
const SETTINGS = [
  'statement_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
  "lock_timeout = '3s'",
  'enable_seqscan = off',
  'enable_hashjoin = off',
  'enable_mergejoin = off',
  'jit = off',
];

const LOCK_NOT_AVAILABLE = '55P03';

/** The database said so, and what it said is the cause. */
function isHeld(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && error.cause.code === LOCK_NOT_AVAILABLE;
}
