import { HoldfastError, StoreOpenError } from '@holdfast/contract';
import { type MovableStore, MoveRefusedError, type StoreContents } from '@holdfast/contract/moving';
import { WholeStore, writeWhole } from '@holdfast/sql-store';
import { checkServer } from '../check-server.js';
import { Database } from '../database.js';
import { postgresErrors } from '../database-errors.js';
import { missingMigrations } from '../migrate.js';
import { migratePostgresStore } from '../open-postgres-store.js';
import { type CheckedConnection, checkedConnection, type PostgresConnection } from '../options.js';
import { type Ask, asking, identityOf, type Reach, reachOf, wholeRows } from './read-rows.js';
import * as text from './read-statements.js';
import { wholeTables } from './write-tables.js';

/** Counting all jobs is one statement. */
const CALL_TIMEOUT_MS = 3_600_000;
/** A process tells of its workers every 10 seconds, and counts as gone after 30. */
const TOLD_MS = 30_000;
const TELLS_AGAIN_MS = 11_000;

/** The store in a schema of PostgreSQL as one that is moved, or moved to. */
export function movablePostgresStore(options: Omit<PostgresConnection, 'callTimeoutMs'>): MovableStore {
  return new MovablePostgresStore({ callTimeoutMs: CALL_TIMEOUT_MS, ...options });
}

class MovablePostgresStore implements MovableStore {
  readonly location: string;
  readonly #options: PostgresConnection;
  readonly #connection: CheckedConnection;
  readonly #database: Database;
  readonly #end: () => Promise<void>;

  constructor(options: PostgresConnection) {
    this.#options = options;
    this.#connection = checkedConnection(options);
    const { location, schema } = this.#connection;
    const { pool, end } = this.#connection.pool(2, false);
    pool.on('error', () => {});
    this.location = `${location} (schema ${schema})`;
    this.#end = end;
    this.#database = new Database({ pool, location, prepare: false, reached: () => {} });
  }

  place(): Promise<string> {
    return this.#reaching(async () => {
      const { schema } = this.#connection;
      const [found] = await asking(this.#database, schema)<{ database: string }>(text.DATABASE);
      return `postgres ${found?.database} ${schema}`;
    });
  }

  storeId(): Promise<string | undefined> {
    return this.#reaching(async () => {
      const isThere = (await this.#missing()) === 0;
      if (!isThere) return undefined;
      const [held] = await asking(this.#database, this.#connection.schema)<{ store_id: string }>(text.HOLDS);
      return held?.store_id;
    });
  }

  readWhole<Answer>(read: (contents: StoreContents) => Promise<Answer>): Promise<Answer> {
    return this.#reaching(async () => {
      const { schema, location } = this.#connection;
      await checkServer(this.#database, location, true);
      if ((await this.#missing()) > 0) {
        throw new StoreOpenError(
          location,
          `its schema ${schema} holds no store of this version. Open it with this version first.`,
        );
      }
      await this.#requireNoTellers();
      return this.#transaction('repeatable read', async (ask) => {
        await this.#closed(ask);
        const before = await this.#reach(ask);
        const requireUnchanged = async () => this.#requireSame(before, await this.#reach(ask));
        return read(new WholeStore(wholeRows(ask, this.location), identityOf(before), requireUnchanged));
      });
    });
  }

  take<Answer>(contents: StoreContents, check: (copy: StoreContents) => Promise<Answer>): Promise<Answer> {
    return this.#reaching(async () => {
      await checkServer(this.#database, this.#connection.location, false);
      await migratePostgresStore(this.#options);
      await this.#requireNoTellers();
      return this.#transaction('read committed', async (ask) => {
        await this.#requireEmpty(ask);
        const [now] = await ask<{ at_ms: number }>('select hf.now_ms() as at_ms');
        await writeWhole(contents, wholeTables(ask, now?.at_ms ?? 0));
        // Nobody else sees it.
        const identity = identityOf(await this.#reach(ask));
        return check(new WholeStore(wholeRows(ask, this.location), identity, async () => {}));
      });
    });
  }

  close(): Promise<void> {
    return this.#end();
  }

  #reach(ask: Ask): Promise<Reach> {
    return reachOf(ask, this.location);
  }

  async #missing(): Promise<number> {
    const { schema, location } = this.#connection;
    return (await missingMigrations(this.#database, schema, location)).length;
  }

  /** From here to the end of the transaction nobody opens the store, or changes it. What the transaction sees begins behind the locks. */
  async #closed(ask: Ask): Promise<void> {
    await this.#lock(ask, text.HOLD_DOOR);
    await this.#lock(ask, text.HOLD_STILL);
    await this.#requireClosed(ask);
    const [lease] = await ask<{ worker: string; leases: number }>(text.LIVE_LEASE);
    if (lease === undefined) return;
    const many = `${lease.leases} leases that have not run out, one of them`;
    const problem = `has ${lease.leases === 1 ? 'a lease that has not run out,' : many} of the worker ${lease.worker}`;
    throw new MoveRefusedError(this.location, problem, 'Stop all workers, and wait until their leases have ended.');
  }

  async #requireClosed(ask: Ask): Promise<void> {
    const [open] = await ask<{ host: string; pid: number }>(text.OPEN_PROCESS);
    if (open === undefined) return;
    throw new MoveRefusedError(
      this.location,
      `is open in process ${open.pid} on ${open.host}`,
      'Stop the application first.',
    );
  }

  async #lock(ask: Ask, statement: string): Promise<void> {
    try {
      await ask(statement);
    } catch (error) {
      if (!isHeld(error)) throw error;
      throw new MoveRefusedError(
        this.location,
        'is being used, opened or moved by another process',
        'Wait until that has ended.',
      );
    }
  }

  /** Processes without a session hold no lock; those with workers tell of them again and again. */
  async #requireNoTellers(): Promise<void> {
    const ask = asking(this.#database, this.#connection.schema);
    const first = await this.#tellers(ask);
    for (
      let tellers = first;
      tellers.some(({ ago_ms }) => ago_ms < TELLS_AGAIN_MS);
      tellers = await this.#tellers(ask)
    ) {
      if (tellers.some((teller) => !first.some((other) => isSame(teller, other)))) {
        throw new MoveRefusedError(this.location, 'has workers', 'Stop the application first, in all its processes.');
      }
      await ask(text.PAUSE_A_MOMENT);
    }
  }

  #tellers(ask: Ask): Promise<Teller[]> {
    return ask<Teller>(text.TELLERS, [TOLD_MS]);
  }

  async #requireEmpty(ask: Ask): Promise<void> {
    await this.#lock(ask, text.HOLD_ALL);
    await this.#requireClosed(ask);
    const nextStep = 'Choose another schema (--schema), or drop this one.';
    const [held] = await ask(text.HOLDS);
    if (held !== undefined) throw new MoveRefusedError(this.location, 'is not empty', nextStep);
    const [opened] = await ask(text.WAS_OPENED);
    if (opened === undefined) return;
    const problem =
      'is empty, but was opened before, and a process that has it open still would go on under its old id';
    throw new MoveRefusedError(this.location, problem, nextStep);
  }

  #requireSame(before: Reach, after: Reach): void {
    const names = ['next_job_number', 'next_token', 'next_end_number', 'next_process_id'] as const;
    if (names.every((name) => before[name] === after[name])) return;
    throw new MoveRefusedError(
      this.location,
      'was used while it was read, so nothing was moved',
      'Stop the application first, in all its processes.',
    );
  }

  /** What is no error of the database is thrown as it is. */
  async #transaction<Answer>(isolation: string, work: (ask: Ask) => Promise<Answer>): Promise<Answer> {
    let ofDatabase: unknown;
    let thrown: unknown;
    try {
      return await this.#database.transaction(async (queries) => {
        thrown = undefined;
        const ask = asking(queries, this.#connection.schema, (error) => {
          ofDatabase = error;
        });
        await ask(`set transaction isolation level ${isolation}`);
        for (const setting of SETTINGS) await ask(`set local ${setting}`);
        try {
          return await work(ask);
        } catch (error) {
          thrown = error;
          throw error;
        }
      });
    } catch (error) {
      throw thrown === undefined || thrown === ofDatabase ? error : thrown;
    }
  }

  /** @throws StoreOpenError where the database says no: all of it is undone */
  async #reaching<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof HoldfastError || !postgresErrors.isRefusal(error)) throw error;
      const { location } = this.#connection;
      throw new StoreOpenError(location, postgresErrors.detailOf(error, location), { cause: error });
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

function isHeld(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE;
}

interface Teller {
  readonly process_id: number;
  readonly told_at_ms: number;
  readonly ago_ms: number;
}

function isSame(one: Teller, other: Teller): boolean {
  return one.process_id === other.process_id && one.told_at_ms === other.told_at_ms;
}
