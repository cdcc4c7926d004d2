import { fileURLToPath } from 'node:url';
import {
  exerciseTransactions,
  type InTransaction,
  type Library,
  NO_PRISMA,
  prismaLibrary,
} from '@holdfast/store-trials/suites';
import { EntitySchema, MikroORM } from '@mikro-orm/mysql';
import { drizzle } from 'drizzle-orm/mysql2';
import { sql as drizzleSql } from 'drizzle-orm/sql';
import knex from 'knex';
import { CompiledQuery, Kysely, MysqlDialect, type Transaction } from 'kysely';
import { createPool } from 'mysql2';
import mysql from 'mysql2/promise';
import { DataSource } from 'typeorm';
import { expect, it } from 'vitest';
import {
  drizzleTransaction,
  knexTransaction,
  kyselyTransaction,
  type MysqlTransaction,
  mysqlTransaction,
  typeormTransaction,
} from '../src/index.js';
import { findTestDatabase, MysqlRig, NO_DATABASE, rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const KEYED = { ...JOB, dedupe: { key: 'once' } };
const BY = { actor: 'olga' };
const ERROR = { class: 'E', message: 'no' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };

const database = await findTestDatabase();

// So seldom that only the commit can have woken anybody.
const overRig = rigTests({ pollMs: 60_000, pollMsMin: 60_000 });

function plain(level: string): Library<MysqlTransaction> {
  return async (uri) => {
    const connection = await mysql.createConnection({ uri });
    await connection.query(`set session transaction isolation level ${level}`);
    const run: InTransaction<MysqlTransaction> = async (work) => {
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

const libraries: Record<string, Library<MysqlTransaction>> = {
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
    const run: InTransaction<MysqlTransaction> = (work) =>
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
  async mikroorm(clientUrl) {
    const nothing = new EntitySchema({ name: 'Nothing', properties: { id: { type: 'number', primary: true } } });
    // It asks for the name of a database, and the server has this one.
    const orm = await MikroORM.init({ clientUrl, dbName: 'mysql', entities: [nothing] });
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

/** As an application writes it. */
const PRISMA_APPLICATION = `
import { type MysqlTransaction, prismaTransaction } from '@holdfast/store-mysql';
import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { PrismaClient } from './generated/client.js';

export async function open(url: string) {
  // A URL would have to name a database.
  const { hostname: host, port, username: user, password } = new URL(url);
  const prisma = new PrismaClient({ adapter: new PrismaMariaDb({ host, port: Number(port || 3306), user, password }) });
  const run = (work: (transaction: MysqlTransaction) => Promise<void>) =>
    prisma.$transaction((tx) => work(prismaTransaction(tx)), { timeout: 60_000 });
  return { run, end: () => prisma.$disconnect() };
}
`;

if (NO_PRISMA === undefined) {
  libraries.prisma = prismaLibrary({
    provider: 'mysql',
    store: { name: '@holdfast/store-mysql', folder: fileURLToPath(new URL('..', import.meta.url)) },
    source: PRISMA_APPLICATION,
  });
} else it('prisma: what is rolled back was never there, and a commit wakes who waits', ({ skip }) => skip(NO_PRISMA));

exerciseTransactions(overRig, { libraries, adapter: 'mysqlTransaction', hears: 'producer' });

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

/** The tables are so small that the server would rather read all of them. */
overRig('a transaction that is open holds up nobody who does not need its jobs', async (rig) => {
  const store = await rig.open();
  const keyed = (key: string) => ({ ...JOB, dedupe: { key, forMs: 60_000 } });
  await store.enqueue([keyed('own'), keyed('other'), JOB, JOB]);
  const refs = (await store.claim(CLAIM)).map(({ id, token }) => ({ id, token }));
  const { transaction, commit } = await rig.begin();
  await store.enqueue([JOB, keyed('new')], { transaction });
  expect(await store.ack(refs.slice(0, 1), { transaction })).toEqual(['ok']);

  expect(await store.ack(refs.slice(1, 2))).toEqual(['ok']);
  // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
  expect(await store.fail(refs.slice(2, 3).map((ref) => ({ ...ref, error: ERROR, then: 'dead' })))).toEqual(['ok']);
  expect(await store.remove({ ids: refs.slice(1, 3).map(({ id }) => id) }, BY)).toMatchObject({ done: 2 });
  expect(await store.enqueue([keyed('other')])).toMatchObject([{ outcome: 'created' }]);
  expect(await store.cancel({ ids: refs.slice(3).map(({ id }) => id) }, BY)).toMatchObject({ done: 1 });
  await store.sweepNow();
  await commit();
  expect(await store.queues()).toMatchObject([
    { counts: { ready: 3, leased: 0, completed: 1, cancelled: 1, dead: 0 } },
  ]);
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

it('refuses the pool, which would store jobs outside of every transaction', async () => {
  const pool = mysql.createPool({ uri: 'mysql://nobody@127.0.0.1:1/none' });
  expect(() => mysqlTransaction(pool)).toThrow(
    /^connection of mysqlTransaction is "the pool", but must be a connection/,
  );
  await pool.end();
});

it('without a kept connection a new queue is made in the transaction', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new MysqlRig(database.url, { session: false });
  const connection = await mysql.createConnection({ uri: rig.url });
  try {
    const store = await rig.open();
    const transaction = mysqlTransaction(connection);
    await connection.beginTransaction();
    // The second call finds the queue that the first one has made.
    for (let call = 0; call < 2; call++) await store.enqueue([JOB], { transaction });
    await connection.rollback();
    expect(await store.queues()).toEqual([]);
    await connection.beginTransaction();
    await store.enqueue([KEYED], { transaction });
    await connection.commit();
    expect((await store.queues()).map(({ name, counts }) => [name, counts.ready])).toEqual([['mail', 1]]);
    const another = await rig.open();
    expect(await another.claim(CLAIM)).toHaveLength(1);
  } finally {
    connection.destroy();
    await rig.close();
  }
});

it('without a kept connection a transaction that sees the past stores nothing in a queue that is newer', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new MysqlRig(database.url, { session: false });
  const connection = await mysql.createConnection({ uri: rig.url });
  try {
    const [store, another] = [await rig.open(), await rig.open()];
    await connection.query('set session transaction isolation level repeatable read');
    await connection.query('start transaction with consistent snapshot');
    await another.enqueue([JOB]);
    const transaction = mysqlTransaction(connection);
    await expect(store.enqueue([JOB], { transaction })).rejects.toThrow();
    await connection.rollback();
    await connection.beginTransaction();
    await store.enqueue([JOB], { transaction });
    await connection.commit();
    expect((await store.queues()).map(({ name, counts }) => [name, counts.ready])).toEqual([['mail', 2]]);
  } finally {
    connection.destroy();
    await rig.close();
  }
});

rigTests()('refuses a connection on which no transaction is open: each statement would stay by itself', async (rig) => {
  const store = await rig.open();
  await store.enqueue([{ ...JOB, queue: 'other' }]);
  const [other] = await store.claim({ ...CLAIM, queues: ['other'] });
  const lease = { id: other?.id ?? '', token: other?.token ?? '' };
  const connection = await mysql.createConnection({ uri: rig.url });
  const transaction = mysqlTransaction(connection);
  const refusal = /^connection of mysqlTransaction is "in no transaction", but must be a connection/;
  const ready = async () => (await store.queues(['mail'])).map(({ counts }) => counts.ready);
  try {
    for (const jobs of [[JOB], [KEYED], [JOB, KEYED]]) {
      await expect(store.enqueue(jobs, { transaction })).rejects.toThrow(refusal);
    }
    await expect(store.enqueue([JOB], { transaction, requestId: 'one' })).rejects.toThrow(refusal);
    await expect(store.ack([lease], { transaction })).rejects.toThrow(refusal);
    await connection.beginTransaction();
    await store.enqueue([JOB], { transaction });
    await connection.commit();
    await expect(store.enqueue([JOB], { transaction })).rejects.toThrow(refusal);
    expect(await ready()).toEqual([1]);
    await connection.query('set autocommit = 0');
    await store.enqueue([JOB], { transaction });
    await connection.rollback();
    expect(await ready()).toEqual([1]);
    expect(await store.ack([lease])).toEqual(['ok']);
  } finally {
    await connection.end();
  }
});
