import { StoreOpenError } from '@holdfast/contract';
import { MoveRefusedError } from '@holdfast/contract/moving';
import {
  type HeldStore,
  type HeldTarget,
  inUse,
  type MoveFailures,
  type MovingDatabase,
  type StoreLooks,
} from '@holdfast/sql-store';
import { Database, SERVER_NOW } from '../database.js';
import { missingMigrations } from '../migrate.js';
import { migrateMysqlStore, REAL } from '../open-mysql-store.js';
import type { CheckedConnection, MysqlConnection } from '../options.js';
import { checkServer, type Server } from '../server.js';
import { SqlText, sql } from '../sql-text.js';
import type { Work } from '../work.js';
import { serverName, storeLooks } from './store-looks.js';
import { wholeRows } from './whole-rows.js';
import { wholeTables } from './write-tables.js';

type Ask = Work['rows'];

/**
 * A store that is moved in or out of a schema of MySQL or MariaDB. All that is written is in one transaction, and the tables are made before it: here a change of
 * tables commits by itself.
 */
export class MysqlMoving implements MovingDatabase {
  readonly location: string;
  readonly looks: StoreLooks;
  readonly end: () => Promise<void>;
  readonly #options: MysqlConnection;
  readonly #connection: CheckedConnection;
  readonly #failures: MoveFailures;
  readonly #database: Database;
  readonly #ask: Ask;
  #known: Server | undefined;

  constructor(options: MysqlConnection, connection: CheckedConnection, location: string, failures: MoveFailures) {
    this.#options = options;
    this.#connection = connection;
    this.#failures = failures;
    // One reads or writes, and one holds the tables.
    const { pool, end } = connection.pool(2);
    this.location = location;
    this.end = end;
    this.#database = new Database({ ...connection, pool, surroundings: REAL, reached: () => {} });
    this.#ask = this.#told((query) => this.#database.ask(query));
    this.looks = this.#looks(this.#ask);
  }

  /** A server of which little is known is told apart by the store that is there, too. */
  async place(): Promise<string> {
    const { schema } = this.#connection;
    const server = await serverName(this.#ask);
    const storeId = (await this.isThere()) ? await this.looks.heldId() : undefined;
    return `mysql ${server} ${schema} ${storeId ?? ''}`;
  }

  async isThere(): Promise<boolean> {
    const { schema } = this.#connection;
    const server = await this.#server();
    return (await missingMigrations({ database: this.#database, server, schema, now: SERVER_NOW })).length === 0;
  }

  async requireStore(): Promise<void> {
    if (await this.isThere()) return;
    const { schema, location } = this.#connection;
    throw new StoreOpenError(
      location,
      `its schema ${schema} holds no store of this version. Name the schema that it is in, or open it with this version first.`,
    );
  }

  async make(): Promise<void> {
    await checkServer(this.#database, false);
    await migrateMysqlStore(this.#options);
  }

  /** What the transaction sees begins when one connection holds the tables. A second one reads: the first may not ask for them as it likes. */
  async reading<Answer>(work: (store: HeldStore) => Promise<Answer>): Promise<Answer> {
    const server = await this.#server();
    return this.#holding(server, (holder) =>
      this.#transaction(server, READ, async (ask) => {
        const looks = this.#looks(ask);
        const reach = async () => {
          // Where it is gone, others may have worked with the store.
          await holder(sql`select 1`);
          return looks.reach();
        };
        return work({ looks: { ...looks, reach }, rows: wholeRows(ask) });
      }),
    );
  }

  /** Whoever opens a store locks its own row first. */
  async writing<Answer>(work: (store: HeldTarget) => Promise<Answer>): Promise<Answer> {
    const server = await this.#server();
    return this.#transaction(server, WRITE, async (ask) => {
      await this.#locking(() => ask(sql`select 1 from hf.meta for update`));
      const tables = (atMs: number) => wholeTables({ ...REAL, rows: ask }, atMs);
      return work({ looks: this.#looks(ask), rows: wholeRows(ask), tables });
    });
  }

  #holding<Answer>(server: Server, work: (ask: Ask) => Promise<Answer>): Promise<Answer> {
    return this.#database.connected(async (rows) => {
      const ask = this.#told(rows);
      await ask(new SqlText(settingsOf(server)));
      const name = `hf:${this.#connection.schema}:move`;
      try {
        // By its name an administrator finds the connection that holds the tables.
        const [named] = await ask<{ got: unknown }>(sql`select get_lock(${name}, 0) as got`);
        if (Number(named?.got) !== 1) throw inUse(this.location);
        const tables = HELD.map((table) => `hf.${table} read`).join(', ');
        await this.#locking(() => ask(new SqlText(`lock tables ${tables}`)));
        return await work(ask);
      } finally {
        await rows(sql`unlock tables`).catch(() => {});
        await rows(sql`do release_lock(${name})`).catch(() => {});
      }
    });
  }

  #transaction<Answer>(server: Server, begin: readonly string[], work: (ask: Ask) => Promise<Answer>): Promise<Answer> {
    return this.#database.begun([settingsOf(server), ...begin], (rows) => work(this.#told(rows)));
  }

  async #locking(lock: () => Promise<unknown>): Promise<void> {
    try {
      await lock();
    } catch (error) {
      const number = error instanceof Error && error.cause instanceof Error && numberOf(error.cause);
      if (number === LOCK_WAIT_TIMEOUT) throw inUse(this.location);
      if (number !== DATABASE_DENIED && number !== TABLE_DENIED) throw error;
      const { schema } = this.#connection;
      throw new MoveRefusedError(
        this.location,
        'cannot be kept from being changed, because the user of the URL may not lock its tables',
        `Let it: GRANT LOCK TABLES ON ${schema}.* TO …`,
      );
    }
  }

  #told(rows: Ask): Ask {
    return (query) => this.#failures.told(() => rows(query));
  }

  #looks(ask: Ask): StoreLooks {
    return storeLooks(ask, this.#connection.schema, this.location);
  }

  /** What could make it lose jobs matters of a target only. */
  async #server(): Promise<Server> {
    this.#known ??= await checkServer(this.#database, true);
    return this.#known;
  }
}

const READ = [
  'set transaction isolation level repeatable read',
  'start transaction with consistent snapshot, read only',
];
const WRITE = ['start transaction'];

/** Whoever opens the store writes to the first two, and every call that changes a job, a queue or a key to one of the others. */
const HELD = [
  'meta',
  'process',
  'queue',
  'job',
  'ready',
  'scheduled',
  'lease',
  'ended',
  'note',
  'act',
  'key_holder',
  'key_window',
  'request',
];

/** Another store may have to be read in between, so nothing ends because it takes long: only a lock that somebody holds. */
const PATIENT = 'wait_timeout = 2147483, net_write_timeout = 3600, net_read_timeout = 3600, lock_wait_timeout = 3';
const OF_KIND = {
  MySQL: 'max_execution_time = 0, information_schema_stats_expiry = 0',
  MariaDB:
    'max_statement_time = 0, idle_transaction_timeout = 0, idle_readonly_transaction_timeout = 0, idle_write_transaction_timeout = 0',
};

function settingsOf({ kind }: Server): string {
  return `set session ${PATIENT}, ${OF_KIND[kind]}`;
}

const LOCK_WAIT_TIMEOUT = 1205;
const DATABASE_DENIED = 1044;
const TABLE_DENIED = 1142;

function numberOf(error: Error): unknown {
  return 'errno' in error ? error.errno : undefined;
}
