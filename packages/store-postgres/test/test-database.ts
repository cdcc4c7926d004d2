import process from 'node:process';
import type { JobStore } from '@holdfast/contract';
import type { OpenTransaction, TrialRig } from '@holdfast/store-trials/suites';
import pg from 'pg';
import { it } from 'vitest';
import {
  openPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
  type PostgresTransaction,
  pgTransaction,
  postgresStore,
} from '../src/index.js';

const CONNECT_TIMEOUT_MS = 2000;
const URL_NAME = 'HOLDFAST_TEST_POSTGRES_URL';
const LOCAL = 'postgres://postgres@127.0.0.1:5432/test';

/** The server that is tested against: the one that the environment names, else a local one that answers. */
export interface TestDatabase {
  readonly url: string;
  readonly version: string;
}

/** What is missing, where there is none: the reason of a skip. */
export const NO_DATABASE = `no PostgreSQL answers at ${LOCAL}, and ${URL_NAME} names no other one`;

/** @throws Error where the environment names a server that does not answer */
export async function findTestDatabase(): Promise<TestDatabase | undefined> {
  const url = process.env[URL_NAME] ?? LOCAL;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return { url, version: rows[0]?.server_version ?? 'unknown' };
  } catch (error) {
    if (process.env[URL_NAME] !== undefined)
      throw new Error(`${URL_NAME} names a server that does not answer.`, { cause: error });
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Registers tests that each have a schema of their own. */
export function rigTests(options: Partial<PostgresStoreOptions> = {}) {
  return (name: string, test: (rig: PostgresRig) => Promise<void>, timeoutMs?: number): void =>
    it(name, { ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }) }, async (context) => {
      const database = await findTestDatabase();
      if (database === undefined) return context.skip(NO_DATABASE);
      const rig = new PostgresRig(database.url, options);
      try {
        await test(rig);
      } finally {
        await rig.close();
      }
    });
}

let schemas = 0;

/** A schema of its own, opened again and again. */
export class PostgresRig implements TrialRig<PostgresTransaction> {
  readonly schema = `hf_test_${process.pid}_${Date.now().toString(36)}_${schemas++}`;
  readonly url: string;
  readonly #options: Partial<PostgresStoreOptions>;
  #stores: PostgresStore[] = [];
  /** Connections of transactions; a test that failed may have left one open. */
  #begun: pg.Client[] = [];

  constructor(url: string, options: Partial<PostgresStoreOptions> = {}) {
    this.url = url;
    this.#options = options;
  }

  /** One more process, as it were, that opens the store. */
  async open(options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
    const store = await openPostgresStore({
      connectionString: this.url,
      schema: this.schema,
      connectionsMax: 4,
      ...this.#options,
      ...options,
    });
    this.#stores.push(store);
    return store;
  }

  source(connectionString = this.url) {
    return postgresStore({ connectionString, schema: this.schema, connectionsMax: 4, ...this.#options });
  }

  async leaders(): Promise<number> {
    const text = "select 1 from pg_locks where locktype = 'advisory' and classid = $1::regclass::oid";
    return (await this.query(text, [`${this.schema}.queue`])).length;
  }

  async begin(): Promise<OpenTransaction<PostgresTransaction>> {
    const client = new pg.Client({ connectionString: this.url });
    // A connection that is ended tells it beside the call that fails.
    client.on('error', () => {});
    await client.connect();
    this.#begun.push(client);
    await client.query('begin');
    const end = async (how: 'commit' | 'rollback') => {
      await client.query(how);
      await client.end();
    };
    return { transaction: pgTransaction(client), commit: () => end('commit'), rollback: () => end('rollback') };
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
    const tables = await this.query<{ name: string }>(
      "select relname as name from pg_class where relkind = 'r' and relnamespace = $1::regnamespace",
      [this.schema],
    );
    const kept = ['migration', 'meta', 'listening'];
    const texts = tables
      .filter(({ name }) => !kept.includes(name))
      .map(({ name }) => `delete from ${this.schema}.${name};`);
    await this.query(`${texts.join(' ')} update ${this.schema}.meta set opened = false;`);
  }

  async close(): Promise<void> {
    await this.#endAll();
    await this.query(`drop schema if exists ${this.schema} cascade`);
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    // As in `begin`.
    client.on('error', () => {});
    await client.connect();
    try {
      // Without values several statements may stand in one text.
      return (await (values.length === 0 ? client.query(text) : client.query(text, values))).rows as Row[];
    } finally {
      await client.end();
    }
  }

  async #endAll(): Promise<void> {
    for (const client of this.#begun) await client.end();
    this.#begun = [];
    for (const store of this.#stores) await store.close();
    this.#stores = [];
  }

  async #locksAreFree(): Promise<void> {
    const text = `select 1 from pg_locks where locktype = 'advisory' and classid in (
      '${this.schema}.process'::regclass::oid, '${this.schema}.queue'::regclass::oid)`;
    while ((await this.query(text)).length > 0);
  }
}
