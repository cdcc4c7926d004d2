import { type LeasedJob, RequestMismatchError } from '@holdfast/contract';
import { drizzle } from 'drizzle-orm/mysql2';
import { sql as drizzleSql } from 'drizzle-orm/sql';
import knex from 'knex';
import { CompiledQuery, Kysely, MysqlDialect } from 'kysely';
import { createPool } from 'mysql2';
import mysql from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { afterAll, expect, it } from 'vitest';
import {
  drizzleTransaction,
  knexTransaction,
  kyselyTransaction,
  type MysqlStore,
  type MysqlTransaction,
  mysqlTransaction,
  typeormTransaction,
} from '../src/index.js';
import { findTestDatabase, MysqlRig, NO_DATABASE, RigPool } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{"a":"it\'s ?? :a"}' };
const KEYED = { ...JOB, dedupe: { key: 'once' } };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };

const database = await findTestDatabase();
// So seldom that only the commit can have woken anybody.
const rigs = new RigPool(database, { pollMs: 60_000, pollMsMin: 60_000 });

afterAll(() => rigs.close());

/** One after the other, in a database that is made once. */
function overRig(name: string, test: (rig: MysqlRig) => Promise<void>): void {
  it(name, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    await rigs.use(test);
  });
}

class Undone extends Error {}

/** Does the work in a transaction, and commits it unless the work throws. */
type InTransaction = (work: (transaction: MysqlTransaction) => Promise<void>) => Promise<void>;

/** What each library calls a transaction. @returns how to work in one, and how to let go of the library */
type Library = (url: string) => Promise<{ readonly run: InTransaction; readonly end: () => Promise<unknown> }>;

function plain(level: string): Library {
  return async (uri) => {
    const connection = await mysql.createConnection({ uri });
    await connection.query(`set session transaction isolation level ${level}`);
    const run: InTransaction = async (work) => {
      await connection.beginTransaction();
      await work(mysqlTransaction(connection)).catch(async (error: unknown) => {
        await connection.rollback();
        throw error;
      });
      await connection.commit();
    };
    return { run, end: () => connection.end() };
  };
}

const libraries: Readonly<Record<string, Library>> = {
  'mysql2 (repeatable read)': plain('repeatable read'),
  'mysql2 (read committed)': plain('read committed'),
  async knex(connection) {
    const db = knex({ client: 'mysql2', connection, pool: { min: 0, max: 1 } });
    return {
      run: (work) => db.transaction((transaction) => work(knexTransaction(transaction))),
      end: () => db.destroy(),
    };
  },
  async kysely(uri) {
    const db = new Kysely({ dialect: new MysqlDialect({ pool: createPool({ uri, connectionLimit: 1 }) }) });
    const run: InTransaction = (work) =>
      db.transaction().execute((transaction) => work(kyselyTransaction(transaction, CompiledQuery)));
    return { run, end: () => db.destroy() };
  },
  async drizzle(uri) {
    const pool = mysql.createPool({ uri, connectionLimit: 1 });
    const db = drizzle(pool);
    return {
      run: (work) => db.transaction((transaction) => work(drizzleTransaction(transaction, drizzleSql))),
      end: () => pool.end(),
    };
  },
  async typeorm(url) {
    const source = await new DataSource({
      type: 'mysql',
      url,
      supportBigNumbers: true,
      bigNumberStrings: true,
    }).initialize();
    return {
      run: (work) => source.transaction((manager) => work(typeormTransaction(manager))),
      end: () => source.destroy(),
    };
  },
};

for (const [name, library] of Object.entries(libraries)) {
  overRig(`${name}: what is rolled back was never there, and a commit wakes who waits`, async (rig) => {
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
    }
  });
}

async function expectRollback(producer: MysqlStore, run: InTransaction): Promise<void> {
  const undone = run(async (transaction) => {
    const answers = await producer.enqueue([JOB, KEYED], { transaction, requestId: 'undone' });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    throw new Undone();
  });
  await expect(undone).rejects.toThrow(Undone);
  expect((await producer.browse({}, { limit: 10 })).rows).toEqual([]);
  expect((await producer.queues())[0]?.counts.ready).toBe(0);
}

async function expectCommit(producer: MysqlStore, worker: MysqlStore, run: InTransaction): Promise<void> {
  let taken: LeasedJob[] | undefined;
  const waiting = producer.claim({ ...CLAIM, waitMs: 25_000 }).then((jobs) => {
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

async function expectRequest(producer: MysqlStore, run: InTransaction): Promise<void> {
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

async function expectAck(producer: MysqlStore, worker: MysqlStore, run: InTransaction): Promise<void> {
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
  await expect(worker.ack([ref], { transaction: {} as MysqlTransaction })).rejects.toThrow(/ack\.transaction/);
}

overRig('refuses what is no transaction', async (rig) => {
  const store = await rig.open();
  const transaction = {} as MysqlTransaction;
  await expect(store.enqueue([JOB], { transaction })).rejects.toThrow(/enqueue\.transaction.*mysqlTransaction/);
});

/** A transaction that sees what was there when it began, whatever is committed meanwhile. */
overRig('in a transaction that sees the past, keys and requests are those of now', async (rig) => {
  const connection = await mysql.createConnection({ uri: rig.url });
  const transaction = mysqlTransaction(connection);
  const keyed = (key: string, more = {}) => ({ ...JOB, dedupe: { key, ...more } });
  try {
    const store = await rig.open();
    await store.enqueue([keyed('done'), keyed('windowed', { forMs: 60_000 }), keyed('waiting'), keyed('acked')]);
    await connection.query('set session transaction isolation level repeatable read');
    await connection.query('start transaction with consistent snapshot');
    // Now others go on: two jobs are done, one has begun, a key and a request are new.
    const jobs = await store.claim({ ...CLAIM, limit: 4 });
    const refs = jobs.map(({ id, token }) => ({ id, token }));
    await store.ack(refs.slice(0, 2));
    await store.enqueue([keyed('new')]);
    const request = await store.enqueue([JOB], { requestId: 'request' });

    const of = async (job: ReturnType<typeof keyed>, options = {}) =>
      (await store.enqueue([job], { transaction, ...options })).map(({ outcome, state }) => `${outcome} ${state}`);
    expect(await of(keyed('done'))).toEqual(['created ready']);
    expect(await of(keyed('done'))).toEqual(['duplicate ready']);
    expect(await of(keyed('windowed'))).toEqual(['duplicate completed']);
    expect(await of(keyed('waiting', { onConflict: 'replace' }))).toEqual(['duplicate leased']);
    expect(await of(keyed('waiting', { onConflict: 'runOnceMore' }))).toEqual(['created ready']);
    expect(await of(keyed('new'))).toEqual(['duplicate ready']);
    expect(await store.enqueue([JOB], { transaction, requestId: 'request' })).toEqual(request);
    // What the transaction itself has done counts, though nobody else sees it yet.
    expect(await of({ ...keyed('own'), delayMs: 60_000 } as ReturnType<typeof keyed>)).toEqual(['created scheduled']);
    expect(await of(keyed('own', { onConflict: 'replace' }))).toEqual(['replaced ready']);
    expect(await of(keyed('own'))).toEqual(['duplicate ready']);
    expect(await store.ack(refs.slice(0, 1), { transaction })).toEqual(['ok']);
    expect(await store.ack(refs.slice(3), { transaction })).toEqual(['ok']);
    expect(await of(keyed('acked'))).toEqual(['created ready']);
    await connection.commit();

    expect(await store.queues()).toMatchObject([{ counts: { completed: 3, leased: 1, ready: 6 } }]);
    expect((await store.claim({ ...CLAIM, limit: 20 })).map(({ attempt }) => attempt)).toEqual([1, 1, 1, 1, 1, 1]);
  } finally {
    connection.destroy();
  }
});

overRig('two transactions that take one key wait for each other, and for no other', async (rig) => {
  const [one, other] = await Promise.all([0, 1].map(() => mysql.createConnection({ uri: rig.url })));
  if (one === undefined || other === undefined) throw new Error('There are two connections.');
  try {
    const store = await rig.open();
    await store.enqueue([JOB]);
    await Promise.all([one.beginTransaction(), other.beginTransaction()]);
    const [first] = await store.enqueue([KEYED], { transaction: mysqlTransaction(one) });
    expect(await store.enqueue([{ ...JOB, dedupe: { key: 'else' } }])).toMatchObject([{ outcome: 'created' }]);
    const waiting = store.enqueue([KEYED], { transaction: mysqlTransaction(other) });
    await one.commit();
    expect(await waiting).toEqual([{ id: first?.id, state: 'ready', outcome: 'duplicate' }]);
    await other.commit();
  } finally {
    one.destroy();
    other.destroy();
  }
});

it('a pool that is used up by transactions does not stand still', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new MysqlRig(database.url);
  const pool = mysql.createPool({ uri: rig.url, connectionLimit: 2 });
  try {
    const store = await rig.open({ pool });
    // The other one of the two is the one that the store keeps.
    const connection = await pool.getConnection();
    await connection.beginTransaction();
    const transaction = mysqlTransaction(connection);
    const jobs = [KEYED, { ...KEYED, queue: 'new' }];
    const answers = await store.enqueue(jobs, { transaction, requestId: 'used up' });
    expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
    await connection.commit();
    connection.release();
    expect((await store.queues()).map(({ name }) => name)).toEqual(['mail', 'new']);
  } finally {
    await rig.close();
    await pool.end();
  }
});

it('without a kept connection a new queue is made in the transaction', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new MysqlRig(database.url, { session: false });
  const connection = await mysql.createConnection({ uri: rig.url });
  try {
    const store = await rig.open();
    const transaction = mysqlTransaction(connection);
    await connection.beginTransaction();
    await store.enqueue([JOB], { transaction });
    await connection.rollback();
    expect(await store.queues()).toEqual([]);
    await connection.beginTransaction();
    await store.enqueue([KEYED], { transaction });
    await connection.commit();
    expect(await store.claim(CLAIM)).toHaveLength(1);
  } finally {
    connection.destroy();
    await rig.close();
  }
});
