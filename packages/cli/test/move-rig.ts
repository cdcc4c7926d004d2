import process from 'node:process';
import type { JobDetail, JobStore, QueueSummary } from '@holdfast/contract';
import { openPostgresStore, type PostgresStore, type PostgresStoreOptions } from '@holdfast/store-postgres';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { type Ended, holdfast } from './rig.js';

const URL_NAME = 'HOLDFAST_TEST_POSTGRES_URL';
const LOCAL = 'postgres://postgres@127.0.0.1:5432/test';
const CONNECT_TIMEOUT_MS = 2000;

/** What is missing, where no server answers: the reason of a skip. */
export const NO_DATABASE = `no PostgreSQL answers at ${LOCAL}, and ${URL_NAME} names no other one`;

/** Where the server is that the environment names, or a local one that answers. */
export async function findDatabase(): Promise<string | undefined> {
  const url = process.env[URL_NAME] ?? LOCAL;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  try {
    await client.connect();
    return url;
  } catch (error) {
    if (process.env[URL_NAME] !== undefined) throw error;
    return undefined;
  } finally {
    await client.end().catch(() => {});
  }
}

let schemas = 0;

/** A schema of its own for the test that runs now. */
export class Schema {
  readonly name = `hf_move_${process.pid}_${Date.now().toString(36)}_${schemas++}`;
  readonly url: string;

  constructor(url: string) {
    this.url = url;
    onTestFinished(() => this.query(`drop schema if exists ${this.name} cascade`).then(() => {}));
  }

  open(options: Partial<PostgresStoreOptions> = {}): Promise<PostgresStore> {
    return openPostgresStore({ connectionString: this.url, schema: this.name, connectionsMax: 4, ...options });
  }

  async query<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query<Row>(text)).rows;
    } finally {
      await client.end();
    }
  }

  /** As if the last process that told of its workers had ended long ago. */
  async forgetTellers(): Promise<void> {
    await this.query(`delete from ${this.name}.crew`);
  }

  async leasesAreOver(): Promise<void> {
    await this.query(`update ${this.name}.lease set deadline_ms = 1`);
  }
}

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
