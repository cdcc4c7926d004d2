import pg from 'pg';
import { expect, it } from 'vitest';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();

/** The jobs table that everybody writes first: it reads a waiting row, and then says that the row is taken. */
class NaiveStore {
  readonly #client: pg.Client;
  readonly #schema: string;
  #found: string | undefined;

  constructor(client: pg.Client, schema: string) {
    this.#client = client;
    this.#schema = schema;
  }

  async find(): Promise<void> {
    const { rows } = await this.#client.query<{ id: string }>(
      `select id from ${this.#schema}.naive_job where state = 'waiting' order by id limit 1`,
    );
    this.#found = rows[0]?.id;
  }

  async take(): Promise<string | undefined> {
    await this.#client.query(`update ${this.#schema}.naive_job set state = 'running' where id = $1`, [this.#found]);
    return this.#found;
  }
}

it('two workers that look in the same moment start a row of a naive table twice, and no job of the store', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url);
  const clients = [0, 1].map(() => new pg.Client({ connectionString: rig.url }));
  try {
    const store = await rig.open();
    await Promise.all(clients.map((client) => client.connect()));
    await rig.query(`create table ${rig.schema}.naive_job (id int8 primary key, state text not null)`);
    await rig.query(`insert into ${rig.schema}.naive_job values (1, 'waiting'), (2, 'waiting')`);
    const naive = clients.map((client) => new NaiveStore(client, rig.schema));
    for (const worker of naive) await worker.find();
    const started = await Promise.all(naive.map((worker) => worker.take()));
    expect(started).toEqual(['1', '1']);

    await store.enqueue(Array.from({ length: 2 }, () => ({ queue: 'mail', name: 'send', payload: '{}' })));
    const claim = { queues: ['mail'], limit: 1, leaseMs: 60_000, worker: 'one' };
    const jobs = (await Promise.all([store.claim(claim), store.claim(claim)])).flat();
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(jobs.length);
    expect(jobs.length + (await store.claim({ ...claim, limit: 2 })).length).toBe(2);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
    await rig.close();
  }
});
