import { type LeasedJob, RequestMismatchError } from '@holdfast/contract';
import { EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import { drizzle } from 'drizzle-orm/node-postgres';
import { sql as drizzleSql } from 'drizzle-orm/sql';
import knex from 'knex';
import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import {
  drizzleTransaction,
  knexTransaction,
  kyselyTransaction,
  openPostgresStore,
  type PostgresStore,
  type PostgresTransaction,
  pgTransaction,
  typeormTransaction,
} from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{"a":"it\'s ?$1"}' };
const KEYED = { ...JOB, dedupe: { key: 'once' } };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };

const database = await findTestDatabase();

class Undone extends Error {}

/** Does the work in a transaction, and commits it unless the work throws. */
type InTransaction = (work: (transaction: PostgresTransaction) => Promise<void>) => Promise<void>;

/** What each library calls a transaction. @returns how to work in one, and how to let go of the library */
type Library = (url: string) => Promise<{ readonly run: InTransaction; readonly end: () => Promise<unknown> }>;

const libraries: Readonly<Record<string, Library>> = {
  async pg(connectionString) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const run: InTransaction = async (work) => {
      await client.query('begin');
      await work(pgTransaction(client)).catch(async (error: unknown) => {
        await client.query('rollback');
        throw error;
      });
      await client.query('commit');
    };
    return { run, end: () => client.end() };
  },
  async knex(connection) {
    const db = knex({ client: 'pg', connection, pool: { min: 0, max: 1 } });
    return {
      run: (work) => db.transaction((transaction) => work(knexTransaction(transaction))),
      end: () => db.destroy(),
    };
  },
  async kysely(connectionString) {
    const pool = new pg.Pool({ connectionString, max: 1 });
    const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
    const run: InTransaction = (work) =>
      db.transaction().execute((transaction) => work(kyselyTransaction(transaction, CompiledQuery)));
    return { run, end: () => db.destroy() };
  },
  async drizzle(connectionString) {
    const pool = new pg.Pool({ connectionString, max: 1 });
    const db = drizzle(pool);
    return {
      run: (work) => db.transaction((transaction) => work(drizzleTransaction(transaction, drizzleSql))),
      end: () => pool.end(),
    };
  },
  async typeorm(url) {
    const source = await new DataSource({ type: 'postgres', url }).initialize();
    return {
      run: (work) => source.transaction((manager) => work(typeormTransaction(manager))),
      end: () => source.destroy(),
    };
  },
  async mikroorm(clientUrl) {
    const nothing = new EntitySchema({ name: 'Nothing', properties: { id: { type: 'number', primary: true } } });
    const orm = await MikroORM.init({ clientUrl, entities: [nothing] });
    return {
      // Its own transaction is one of Kysely.
      run: (work) =>
        orm.em.fork().transactional(async (manager) => {
          const transaction = manager.getTransactionContext<Transaction<unknown>>();
          if (transaction === undefined) throw new Error('A transaction is open.');
          await work(kyselyTransaction(transaction, CompiledQuery));
        }),
      end: () => orm.close(),
    };
  },
};

for (const [name, library] of Object.entries(libraries)) {
  it(`${name}: what is rolled back was never there, and a commit wakes who waits`, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new PostgresRig(database.url, { pollMs: 60_000 });
    const { run, end } = await library(rig.url);
    try {
      const [producer, worker] = [await rig.open(), await rig.open()];
      await producer.pause('mail', { actor: 'test' });
      await producer.resume('mail', { actor: 'test' });
      await expectRollback(producer, run);
      await expectCommit(producer, worker, run);
      await expectRequest(producer, run);
      await expectAck(producer, worker, run);
    } finally {
      await end();
      await rig.close();
    }
  });
}

async function expectRollback(producer: PostgresStore, run: InTransaction): Promise<void> {
  const undone = run(async (transaction) => {
    const answers = await producer.enqueue([JOB, KEYED], { transaction, requestId: 'undone' });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  expect((await producer.browse({}, { limit: 10 })).rows).toEqual([]);
  expect((await producer.queues())[0]?.counts.ready).toBe(0);
}

async function expectCommit(producer: PostgresStore, worker: PostgresStore, run: InTransaction): Promise<void> {
  let taken: LeasedJob[] | undefined;
  const waiting = worker.claim({ ...CLAIM, waitMs: 25_000 }).then((jobs) => {
    taken = jobs;
  });
  const ids: string[] = [];
  await run(async (transaction) => {
    const answers = await producer.enqueue([JOB, KEYED, KEYED, { ...JOB, delayMs: 60_000 }], { transaction });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'duplicate', 'created']);
    expect(answers.map(({ state }) => state)).toEqual(['ready', 'ready', 'ready', 'scheduled']);
    ids.push(...answers.map(({ id }) => id));
    // Nobody can see them yet.
    expect(await worker.claim(CLAIM)).toEqual([]);
    expect(taken).toBeUndefined();
  });
  await waiting;
  expect(taken?.map(({ id, payload }) => [id, payload])).toEqual(ids.slice(0, 2).map((id) => [id, JOB.payload]));
}

async function expectRequest(producer: PostgresStore, run: InTransaction): Promise<void> {
  const requestId = 'order-1';
  const answers: unknown[] = [];
  for (let call = 0; call < 2; call++) {
    await run(async (transaction) => {
      answers.push(await producer.enqueue([JOB], { transaction, requestId }));
    });
  }
  expect(answers[1]).toEqual(answers[0]);
  const other = run(async (transaction) => {
    await producer.enqueue([JOB, JOB], { transaction, requestId });
  });
  await expect(other).rejects.toThrow(RequestMismatchError);
}

async function expectAck(producer: PostgresStore, worker: PostgresStore, run: InTransaction): Promise<void> {
  await producer.enqueue([{ ...JOB, queue: 'acks' }]);
  const [job] = await worker.claim({ ...CLAIM, queues: ['acks'] });
  const ref = { id: job?.id ?? '', token: job?.token ?? '' };
  const undone = run(async (transaction) => {
    expect(await worker.ack([{ ...ref, result: 'first' }], { transaction })).toEqual(['ok']);
    expect(await worker.ack([ref, { ...ref, token: 'x' }], { transaction })).toEqual(['ok', 'stale']);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  expect(await producer.job(ref.id)).toMatchObject({ state: 'leased', attempts: 1 });
  await run(async (transaction) => {
    expect(await worker.ack([{ ...ref, result: 'second' }], { transaction })).toEqual(['ok']);
  });
  expect(await producer.job(ref.id)).toMatchObject({ state: 'completed', result: 'second', attempts: 1 });
  await expect(worker.ack([ref], { transaction: {} as PostgresTransaction })).rejects.toThrow(/ack\.transaction/);
}

it('refuses what is no transaction', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url);
  try {
    const store = await rig.open();
    const transaction = {} as PostgresTransaction;
    await expect(store.enqueue([JOB], { transaction })).rejects.toThrow(/enqueue\.transaction.*pgTransaction/);
  } finally {
    await rig.close();
  }
});

it.for([true, false])(
  'needs no connection of a pool that is used up by transactions (session: %s)',
  async (session, context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new PostgresRig(database.url);
    const connections = session ? 3 : 2;
    const pool = new pg.Pool({ connectionString: rig.url, max: connections });
    try {
      await (await rig.open()).close();
      const store = await openPostgresStore({ pool, schema: rig.schema, session });
      const clients = await Promise.all([pool.connect(), pool.connect()]);
      expect([pool.totalCount, pool.idleCount]).toEqual([connections, 0]);
      for (const [index, client] of clients.entries()) {
        await client.query('begin');
        const jobs = [
          { ...JOB, queue: 'new' },
          { ...JOB, queue: `new ${index}` },
        ];
        if (session || index === 0) await store.enqueue(jobs, { transaction: pgTransaction(client) });
      }
      await clients[0].query('rollback');
      await clients[1].query('commit');
      for (const client of clients) client.release();
      const known = await store.enqueue([{ ...JOB, queue: 'new' }]);
      const counts = (await store.queues()).map(({ name, counts }) => [name, counts.ready]);
      expect(counts).toEqual(
        session
          ? [
              ['new', 2],
              ['new 0', 0],
              ['new 1', 1],
            ]
          : [['new', 1]],
      );
      expect((await store.claim({ ...CLAIM, queues: ['new'] })).map(({ id }) => id)).toContain(known[0]?.id);
      await store.close();
    } finally {
      await pool.end();
      await rig.close();
    }
  },
);
