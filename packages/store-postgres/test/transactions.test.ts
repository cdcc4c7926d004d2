import { fileURLToPath } from 'node:url';
import {
  exerciseTransactions,
  type InTransaction,
  type Library,
  NO_PRISMA,
  prismaLibrary,
} from '@holdfast/store-trials/suites';
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
  type PostgresTransaction,
  pgTransaction,
  typeormTransaction,
} from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig, rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };

const database = await findTestDatabase();

const libraries: Record<string, Library<PostgresTransaction>> = {
  async pg(connectionString) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    const run: InTransaction<PostgresTransaction> = async (work) => {
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
    const run: InTransaction<PostgresTransaction> = (work) =>
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

/** As an application writes it. */
const PRISMA_APPLICATION = `
import { type PostgresTransaction, prismaTransaction } from '@holdfast/store-postgres';
import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.js';

export async function open(connectionString: string) {
  const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString }) });
  const run = (work: (transaction: PostgresTransaction) => Promise<void>) =>
    prisma.$transaction((tx) => work(prismaTransaction(tx)), { timeout: 60_000 });
  return { run, end: () => prisma.$disconnect() };
}
`;

if (NO_PRISMA === undefined) {
  libraries.prisma = prismaLibrary({
    provider: 'postgresql',
    store: { name: '@holdfast/store-postgres', folder: fileURLToPath(new URL('..', import.meta.url)) },
    source: PRISMA_APPLICATION,
  });
} else it('prisma: what is rolled back was never there, and a commit wakes who waits', ({ skip }) => skip(NO_PRISMA));

const suite = { libraries, adapter: 'pgTransaction', hears: 'everybody' } as const;

exerciseTransactions(rigTests({ pollMs: 60_000 }), suite);

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

it('refuses the pool, and a client on which no transaction was begun: the job would stay when it is rolled back', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url);
  const pool = new pg.Pool({ connectionString: rig.url, max: 1 });
  const store = await rig.open();
  try {
    expect(() => pgTransaction(pool)).toThrow(
      /^client of pgTransaction is "the pool", but must be a client of the pool/,
    );
    const client = await pool.connect();
    const transaction = pgTransaction(client);
    const enqueued = store.enqueue([JOB], { transaction });
    await expect(enqueued).rejects.toThrow(/^client of pgTransaction is "in no transaction", but must be a client/);
    await client.query('begin');
    await store.enqueue([JOB], { transaction });
    await client.query('commit');
    client.release();
    expect((await store.queues()).map(({ counts }) => counts.ready)).toEqual([1]);
  } finally {
    await store.close();
    await pool.end();
    await rig.close();
  }
});

rigTests()('a dedupe key is refused in a transaction that does not see who has taken it since', async (rig) => {
  const store = await rig.open();
  const keyed = { ...JOB, dedupe: { key: 'report' } };
  for (const level of ['repeatable read', 'serializable']) {
    const { transaction, commit } = await rig.begin();
    await transaction.run(`set transaction isolation level ${level}`, []);
    await store.enqueue([JOB], { transaction });
    await store.enqueue([keyed]);
    const refused = store.enqueue([keyed], { transaction });
    await expect(refused).rejects.toMatchObject({ code: 'STORE_FAILED', outcome: 'rejected' });
    await expect(refused).rejects.toThrow(`isolation level is ${level}`);
    await commit();
  }
  expect((await store.browse({ queue: JOB.queue }, { limit: 10 })).total.value).toBe(3);
});
