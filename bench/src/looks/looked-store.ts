import type { Enqueued, JobStore } from '@holdfast/contract';
import { openMysqlStore } from '@holdfast/store-mysql';
import { openPostgresStore } from '@holdfast/store-postgres';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { type Database, mariadb, postgres } from '../idle-queries/measured-database.js';

/** A store in a schema of its own, in which is looked. */
export interface LookedStore {
  readonly store: JobStore;
  readonly database: Database;
  /** Lets the server collect its statistics anew. */
  analyze(): Promise<void>;
  close(): Promise<void>;
}

export async function onPostgres(url: string, schema: string): Promise<LookedStore> {
  const database = postgres(url);
  const store = await openPostgresStore({ connectionString: url, schema });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    store,
    database,
    async analyze() {
      const { rows } = await client.query<{ name: string }>(
        "select c.oid::regclass::text as name from pg_class c where relkind = 'r' and relnamespace = $1::regnamespace",
        [schema],
      );
      for (const { name } of rows) await client.query(`analyze ${name}`);
    },
    async close() {
      await store.close();
      await client.end();
      await database.drop(schema);
    },
  };
}

export async function onMysql(url: string, schema: string): Promise<LookedStore> {
  const database = mariadb(url);
  const store = await openMysqlStore({ connectionString: url, schema });
  const connection = await mysql.createConnection({ uri: url });
  return {
    store,
    database,
    async analyze() {
      const [tables] = await connection.query(
        `select concat(table_schema, '.', table_name) as name from information_schema.tables where table_schema = '${schema}'`,
      );
      for (const { name } of tables as { name: string }[]) await connection.query(`analyze table ${name}`);
    },
    async close() {
      await store.close();
      await connection.end();
      await database.drop(schema);
    },
  };
}

const BATCH = 1000;
const AT_ONCE = 4;

/** Stores so many jobs. @returns the one in the middle, in order of enqueue */
export async function fill(
  store: JobStore,
  jobs: number,
  jobOf: (index: number) => { readonly queue: string; readonly name: string },
): Promise<Enqueued | undefined> {
  let from = 0;
  let middle: Enqueued | undefined;
  const loop = async () => {
    while (from < jobs) {
      const first = from;
      from += BATCH;
      const batch = Array.from({ length: Math.min(BATCH, jobs - first) }, (_, at) => jobOf(first + at));
      const answers = await store.enqueue(batch.map((job) => ({ ...job, payload: '{"of":"a look"}' })));
      if (first <= jobs / 2 && jobs / 2 < first + BATCH) middle = answers[0];
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, loop));
  return middle;
}
