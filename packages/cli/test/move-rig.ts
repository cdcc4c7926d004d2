import process from 'node:process';
import type { JobDetail, JobStore, QueueSummary, RetentionOptions } from '@holdfast/contract';
import { openMysqlStore } from '@holdfast/store-mysql';
import { openPostgresStore } from '@holdfast/store-postgres';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { onTestFinished, type TestContext } from 'vitest';
import { type Ended, holdfast, until } from './rig.js';

const CONNECT_TIMEOUT_MS = 2000;

interface OpenOptions {
  readonly retention?: RetentionOptions;
  readonly session?: boolean;
}

interface Connection {
  ask<Row extends object>(text: string): Promise<Row[]>;
  end(): Promise<void>;
}

async function connectPostgres(connectionString: string): Promise<Connection> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A server may end before its test does. Whoever asks then is told.
  client.on('error', () => {});
  await client.connect();
  return {
    ask: async <Row extends object>(text: string) => (await client.query<Row & pg.QueryResultRow>(text)).rows,
    end: () => client.end().catch(() => {}),
  };
}

async function connectMysql(uri: string): Promise<Connection> {
  const connection = await mysql.createConnection({ uri, connectTimeout: CONNECT_TIMEOUT_MS });
  connection.on('error', () => {});
  return {
    ask: async <Row extends object>(text: string) => (await connection.query(text))[0] as Row[],
    end: () => connection.end().catch(() => {}),
  };
}

function anyIn(column: string, texts: readonly string[]): string {
  return texts.map((text) => `position('${text}' in ${column}) > 0`).join(' or ');
}

let schemas = 0;

/** A schema of its own for the test that runs now. */
export abstract class Schema {
  readonly name: string;
  readonly url: string;
  /** One that stays: with a new one for each question nobody looks often enough to see what another process is at. */
  #connection: Promise<Connection> | undefined;

  /** @param name of a schema on another server, to move a store between the two */
  constructor(url: string, name = `hf_move_${process.pid}_${Date.now().toString(36)}_${schemas++}`) {
    this.url = url;
    this.name = name;
    onTestFinished(async () => {
      await this.drop();
      await (await this.#connection)?.end();
    });
  }

  /** The same database under another URL. */
  abstract get otherUrl(): string;
  abstract open(options?: OpenOptions): Promise<JobStore>;
  protected abstract connect(): Promise<Connection>;
  abstract drop(): Promise<void>;
  /** How many connections ask the server something with one of these texts in it, or have just asked it in a transaction that is open. */
  abstract asking(...texts: readonly string[]): Promise<number>;
  /** Resolves when no transaction holds anything of the schema. */
  abstract isFree(): Promise<void>;
  /** Works with a store that is moved at this moment, as far as that can be done. @returns the exit code of that move */
  abstract disturb(): Promise<number>;

  async query<Row extends object>(text: string): Promise<Row[]> {
    this.#connection ??= this.connect();
    return (await this.#connection).ask<Row>(text);
  }

  /** As if the last process that told of its workers had ended long ago. */
  async forgetTellers(): Promise<void> {
    await this.query(`delete from ${this.name}.crew`);
  }

  async leasesAreOver(): Promise<void> {
    await this.query(`update ${this.name}.lease set deadline_ms = 1`);
  }

  /** Of all jobs and the places where they wait. */
  async counts(): Promise<readonly number[]> {
    const counts = [];
    for (const table of ['job', 'ready', 'scheduled', 'queue', 'request']) {
      const [row] = await this.query<{ count: number | string }>(`select count(*) as count from ${this.name}.${table}`);
      counts.push(Number(row?.count));
    }
    return counts;
  }
}

class PostgresSchema extends Schema {
  get otherUrl(): string {
    const url = new URL(this.url);
    url.searchParams.set('application_name', 'again');
    return url.href;
  }

  open(options: OpenOptions = {}): Promise<JobStore> {
    return openPostgresStore({ connectionString: this.url, schema: this.name, connectionsMax: 4, ...options });
  }

  protected override connect(): Promise<Connection> {
    return connectPostgres(this.url);
  }

  async drop(): Promise<void> {
    await this.query(`drop schema if exists ${this.name} cascade`);
  }

  /** Not the server itself, which clears tables away that a move has left. */
  async asking(...texts: readonly string[]): Promise<number> {
    const query = `select 1 from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'
      and (${anyIn('query', texts)}) and xact_start is not null`;
    return (await this.query(query)).length;
  }

  async isFree(): Promise<void> {
    await until(async () => (await this.asking(this.name)) === 0);
  }

  /** No lock holds a sequence. */
  async disturb(): Promise<number> {
    await this.query(`select nextval('${this.name}.job_number')`);
    return 5;
  }
}

class MysqlSchema extends Schema {
  get otherUrl(): string {
    return this.url.replace(/^\w+:/, 'mariadb:');
  }

  open(options: OpenOptions = {}): Promise<JobStore> {
    return openMysqlStore({ connectionString: this.url, schema: this.name, connectionsMax: 4, ...options });
  }

  protected override connect(): Promise<Connection> {
    return connectMysql(this.url);
  }

  async drop(): Promise<void> {
    await this.query(`drop database if exists ${this.name}`);
  }

  /** Of an idle connection this server does not tell what it has asked last. */
  async asking(...texts: readonly string[]): Promise<number> {
    const query = `select 1 from information_schema.processlist where id <> connection_id() and (${anyIn('info', texts)})`;
    return (await this.query(query)).length;
  }

  async isFree(): Promise<void> {
    await this.query(`update ${this.name}.meta set processes = processes`);
  }

  /** Ends the connection that holds the tables: from then on others may work with the store. */
  async disturb(): Promise<number> {
    const [holder] = await this.query<{ id: number }>(`select is_used_lock('hf:${this.name}:move') as id`);
    await this.query(`kill ${holder?.id}`);
    return 3;
  }
}

/** A kind of database that stores are moved between, with the server that the environment names, or a local one that answers. */
export interface DatabaseKind {
  readonly kind: string;
  /** @returns a schema; the test is skipped where no server answers */
  schemaFor(context: TestContext): Schema;
  /** The same schema on another server. */
  schemaAt(url: string, like: Schema): Schema;
}

interface Server {
  readonly kind: string;
  /** Of the environment. */
  readonly variable: string;
  readonly local: string;
  connect(url: string): Promise<Connection>;
  readonly Schema: typeof PostgresSchema | typeof MysqlSchema;
}

async function findKind({ kind, variable, local, connect, Schema: Kind }: Server): Promise<DatabaseKind> {
  const url = process.env[variable] ?? local;
  const answers = await connect(url).then(
    (connection) => connection.end().then(() => true),
    (error: unknown) => {
      if (process.env[variable] !== undefined) throw error;
      return false;
    },
  );
  return {
    kind,
    schemaFor(context) {
      context.skip(!answers, `no ${kind} answers at ${local}, and ${variable} names no other one`);
      return new Kind(url);
    },
    schemaAt: (other, { name }) => new Kind(other, name),
  };
}

export const POSTGRES = await findKind({
  kind: 'PostgreSQL',
  variable: 'HOLDFAST_TEST_POSTGRES_URL',
  local: 'postgres://postgres@127.0.0.1:5432/test',
  connect: connectPostgres,
  Schema: PostgresSchema,
});

export const MYSQL = await findKind({
  kind: 'MySQL or MariaDB',
  variable: 'HOLDFAST_TEST_MYSQL_URL',
  local: 'mysql://root@127.0.0.1:3306/',
  connect: connectMysql,
  Schema: MysqlSchema,
});

export const DATABASES: readonly DatabaseKind[] = [POSTGRES, MYSQL];

/** Runs a move at the present time. */
export function move(words: readonly string[]): Promise<Ended> {
  return holdfast(['move', ...words], { now: () => Date.now() });
}

/** Everything that operators can see in a store, by the id of the job. */
export interface StoreView {
  readonly jobs: ReadonlyMap<string, JobDetail>;
  readonly queues: readonly Pick<QueueSummary, 'name' | 'counts' | 'retrying' | 'paused'>[];
}

export async function viewOf(store: JobStore): Promise<StoreView> {
  const summaries = await store.queues();
  const queues = summaries.map(({ name, counts, retrying, paused }) => {
    return { name, counts, retrying, ...(paused === undefined ? {} : { paused }) };
  });
  const jobs = new Map<string, JobDetail>();
  for (let cursor: string | undefined; ; ) {
    const page = await store.browse({}, { limit: 200, ...(cursor === undefined ? {} : { cursor }) });
    for (const row of page.rows) {
      const detail = await store.job(row.id);
      if (detail === undefined) throw new Error(`The job ${row.id} is listed, but not known.`);
      // Where the record lies, and how many jobs are ahead, not every store tells.
      const { record: _, ahead: __, ...shown } = detail;
      jobs.set(row.id, shown);
    }
    cursor = page.next;
    if (cursor === undefined) return { jobs, queues };
  }
}
