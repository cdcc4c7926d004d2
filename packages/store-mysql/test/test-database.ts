import process from 'node:process';
import type { JobStore } from '@holdfast/contract';
import type { OpenTransaction, TrialRig } from '@holdfast/store-trials/suites';
import mysql from 'mysql2/promise';
import { afterAll, it } from 'vitest';
import {
  type MysqlStore,
  type MysqlStoreOptions,
  type MysqlTransaction,
  mysqlStore,
  mysqlTransaction,
  openMysqlStore,
} from '../src/index.js';
import { openMysqlStoreIn } from '../src/open-mysql-store.js';
import { type Server, serverOf } from '../src/server.js';
import type { Surroundings } from '../src/work.js';

const CONNECT_TIMEOUT_MS = 2000;
const URL_NAME = 'HOLDFAST_TEST_MYSQL_URL';
const LOCAL = 'mysql://root@127.0.0.1:3306/';

/** The server that is tested against: the one that the environment names, else a local one that answers. */
export interface TestDatabase extends Server {
  readonly url: string;
}

/** What is missing, where there is none: the reason of a skip. */
export const NO_DATABASE = `no MySQL or MariaDB answers at ${LOCAL}, and ${URL_NAME} names no other one`;

/** The other kind, on which nothing was tried in this run. */
export function untried({ kind, version }: TestDatabase): string {
  const other = kind === 'MySQL' ? 'MariaDB' : 'MySQL';
  return `${other}: this run is on ${kind} ${version}; ${URL_NAME} can name a server of ${other}`;
}

/** @throws Error where the environment names a server that does not answer */
export async function findTestDatabase(): Promise<TestDatabase | undefined> {
  const url = process.env[URL_NAME] ?? LOCAL;
  try {
    const connection = await mysql.createConnection({ uri: url, connectTimeout: CONNECT_TIMEOUT_MS });
    try {
      const [rows] = await connection.query('select version() as version');
      return { url, ...serverOf((rows as { version: string }[])[0]?.version ?? 'unknown') };
    } finally {
      await connection.end();
    }
  } catch (error) {
    if (process.env[URL_NAME] !== undefined)
      throw new Error(`${URL_NAME} names a server that does not answer.`, { cause: error });
    return undefined;
  }
}

/** Databases that tests have left empty for those behind them: to make one takes the server longer than most tests. */
export class RigPool {
  readonly #url: string | undefined;
  readonly #options: Partial<MysqlStoreOptions>;
  readonly #free: MysqlRig[] = [];

  /** @param database none where nothing will be asked for */
  constructor(database: TestDatabase | undefined, options: Partial<MysqlStoreOptions> = {}) {
    this.#url = database?.url;
    this.#options = options;
  }

  take(): MysqlRig {
    return this.#free.pop() ?? new MysqlRig(this.#url ?? '', this.#options);
  }

  async giveBack(rig: MysqlRig): Promise<void> {
    await rig.empty();
    this.#free.push(rig);
  }

  async use(test: (rig: MysqlRig) => Promise<void>): Promise<void> {
    const rig = this.take();
    try {
      await test(rig);
    } finally {
      await this.giveBack(rig);
    }
  }

  async close(): Promise<void> {
    for (const rig of this.#free) await rig.close();
  }
}

/** Registers tests that run one after the other, each in a database that was left empty. */
export function rigTests(options: Partial<MysqlStoreOptions> = {}) {
  let rigs: RigPool | undefined;
  afterAll(() => rigs?.close());
  return (name: string, test: (rig: MysqlRig) => Promise<void>, timeoutMs?: number): void =>
    it(name, { ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) }, async (context) => {
      const database = await findTestDatabase();
      if (database === undefined) return context.skip(NO_DATABASE);
      rigs ??= new RigPool(database, options);
      await rigs.use(test);
    });
}

let schemas = 0;

/** A database of its own on the server, opened again and again. */
export class MysqlRig implements TrialRig<MysqlTransaction> {
  readonly schema = `hf_test_${process.pid}_${Date.now().toString(36)}_${schemas++}`;
  readonly url: string;
  readonly #options: Partial<MysqlStoreOptions>;
  #stores: MysqlStore[] = [];
  /** Connections of transactions; a test that failed may have left one open. */
  #begun: mysql.Connection[] = [];

  constructor(url: string, options: Partial<MysqlStoreOptions> = {}) {
    this.url = url;
    this.#options = options;
  }

  /** One more process, as it were, that opens the store. */
  async open(options: Partial<MysqlStoreOptions> = {}, surroundings?: Surroundings): Promise<MysqlStore> {
    const own = this.#options.pool === undefined && options.pool === undefined ? { connectionString: this.url } : {};
    const all = { ...own, schema: this.schema, connectionsMax: 4, ...this.#options, ...options };
    const store = surroundings === undefined ? await openMysqlStore(all) : await openMysqlStoreIn(all, surroundings);
    this.#stores.push(store);
    return store;
  }

  source(connectionString = this.url) {
    return mysqlStore({ connectionString, schema: this.schema, connectionsMax: 4, ...this.#options });
  }

  async leaders(): Promise<number> {
    return (await this.query('select 1 from dual where is_used_lock(?) is not null', [`hf:${this.schema}:lead`]))
      .length;
  }

  /** In the level of isolation that is usual with this server. */
  async begin(): Promise<OpenTransaction<MysqlTransaction>> {
    const connection = await mysql.createConnection({ uri: this.url });
    this.#begun.push(connection);
    await connection.beginTransaction();
    const end = async (how: 'commit' | 'rollback') => {
      await connection[how]();
      await connection.end();
    };
    return { transaction: mysqlTransaction(connection), commit: () => end('commit'), rollback: () => end('rollback') };
  }

  /** Ends all that are open. Killed: the server notices by itself that nobody is there any more. */
  async reopen(how: 'closed' | 'killed'): Promise<JobStore> {
    for (const store of this.#stores) await (how === 'closed' ? store.close() : store.abandon());
    this.#stores = [];
    if (how === 'killed') await this.#locksAreFree();
    return this.open();
  }

  /** Closes what is open, and makes the schema as new: quicker than to drop it and make another. */
  async empty(): Promise<void> {
    await this.#endAll();
    await this.connected(async (ask) => {
      const tables = await ask<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = '${this.schema}'`,
      );
      const kept = ['migration', 'meta', 'listening', 'name_lock', 'settled_changes'];
      for (const { name } of tables) if (!kept.includes(name)) await ask(`delete from ${this.schema}.${name}`);
      await ask(`update ${this.schema}.meta set opened = 0`);
      await ask(`update ${this.schema}.listening set until_ms = 0`);
    });
  }

  async close(): Promise<void> {
    await this.#endAll();
    await this.query(`drop database if exists ${this.schema}`);
  }

  query<Row>(text: string, values: readonly (string | number)[] = []): Promise<Row[]> {
    return this.connected((ask) => ask<Row>(text, values));
  }

  /** Asks on one connection of its own. */
  async connected<Answer>(
    work: (ask: <Row>(text: string, values?: readonly (string | number)[]) => Promise<Row[]>) => Promise<Answer>,
  ): Promise<Answer> {
    const connection = await mysql.createConnection({ uri: this.url });
    try {
      return await work(async <Row>(text: string, values: readonly (string | number)[] = []) => {
        const [rows] = await connection.query(text, [...values]);
        return rows as Row[];
      });
    } finally {
      await connection.end();
    }
  }

  async #endAll(): Promise<void> {
    for (const connection of this.#begun) connection.destroy();
    this.#begun = [];
    for (const store of this.#stores) await store.close();
    this.#stores = [];
  }

  async #locksAreFree(): Promise<void> {
    await this.connected(async (ask) => {
      const text = `select 1 from ${this.schema}.process where is_used_lock(concat('hf:${this.schema}:of:', id)) is not null
        union all select 1 from dual where is_used_lock('hf:${this.schema}:lead') is not null`;
      while ((await ask(text)).length > 0);
    });
  }
}
