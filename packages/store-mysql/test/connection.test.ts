import { StoreOpenError } from '@holdfast/contract';
import { exerciseConnection } from '@holdfast/store-trials/suites';
import mysql from 'mysql2/promise';
import { describe, expect, it } from 'vitest';
import { type MysqlTransaction, mysqlStore, openMysqlStore } from '../src/index.js';
import { type MysqlRig, rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };

describe('a database that cannot be used', () => {
  it('is not asked for until the store is opened, which says that no URL is there', async () => {
    const source = mysqlStore({ connectionString: process.env.HOLDFAST_TEST_NOT_SET });
    expect(source.location).toBe('a MySQL database');
    await expect(source.open()).rejects.toThrow(/connectionString is undefined.*Is the environment variable set\?/);
  });

  it('is refused in time, and named, where nobody answers', async () => {
    const opened = openMysqlStore({ connectionString: 'mysql://nobody:secret@127.0.0.1:1/none' });
    await expect(opened).rejects.toThrow(StoreOpenError);
    await expect(opened).rejects.toThrow(/127\.0\.0\.1:1\/none.*ECONNREFUSED/);
    await expect(opened).rejects.not.toThrow(/secret/);
  });

  it('is refused where the address is none', async () => {
    await expect(openMysqlStore({ connectionString: 'nowhere' })).rejects.toThrow(/mysql:\/\//);
    const opened = openMysqlStore({ connectionString: 'mysql://app:se#cret/s@db/app' });
    await expect(opened).rejects.toThrow(/In a password # is written as %23/);
    await expect(opened).rejects.not.toThrow(/cret/);
    await expect(openMysqlStore({})).rejects.toThrow(/exactly one/);
    const schema = 'a`b';
    await expect(openMysqlStore({ connectionString: 'mysql://root@127.0.0.1/', schema })).rejects.toThrow(/schema/);
  });
});

const overRig = rigTests();

exerciseConnection<MysqlTransaction, MysqlRig>(overRig, {
  port: 3306,
  tells: false,
  async endSession(rig) {
    const [holder] = await rig.query<{ id: number }>(
      `select is_used_lock(concat('hf:${rig.schema}:of:', id)) as id from ${rig.schema}.process`,
    );
    await rig.query(`kill ${holder?.id}`);
  },
  async hold(rig) {
    const holder = await mysql.createConnection({ uri: rig.url });
    await holder.beginTransaction();
    await holder.query(`select * from ${rig.schema}.name_lock for update`);
    const text = "select 1 from information_schema.innodb_trx where trx_state = 'LOCK WAIT' and trx_query like ?";
    const release = async () => {
      await holder.rollback();
      await holder.end();
    };
    return { waiting: async () => (await rig.query(text, [`%${rig.schema}.name_lock%`])).length, release };
  },
});

overRig('a pool of the caller is used as it is set up, and left open', async (rig) => {
  const pool = mysql.createPool({
    uri: rig.url,
    connectionLimit: 3,
    supportBigNumbers: true,
    bigNumberStrings: true,
    dateStrings: true,
    rowsAsArray: true,
    typeCast: (field, next) => (field.type === 'TINY' ? field.string() === '1' : next()),
  });
  try {
    const store = await rig.open({ pool });
    await store.enqueue([
      { ...JOB, dedupe: { key: 'k' } },
      { ...JOB, delayMs: 60_000 },
    ]);
    const [job] = await store.claim(CLAIM);
    expect(job).toMatchObject({ attempt: 1, payload: '{}' });
    expect(await store.ack([{ id: job?.id ?? '', token: job?.token ?? '' }])).toEqual(['ok']);
    expect((await store.queues())[0]?.counts).toMatchObject({ scheduled: 1, completed: 1, leased: 0 });
    expect((await store.enqueue([{ ...JOB, dedupe: { key: 'k' } }]))[0]?.outcome).toBe('created');
    await store.close();
    expect((await pool.query('select 1'))[0]).toHaveLength(1);
  } finally {
    await pool.end();
  }
});

overRig('a pool of the caller whose only connection would be kept is refused', async (rig) => {
  const pool = mysql.createPool({ uri: rig.url, connectionLimit: 1 });
  try {
    await expect(rig.open({ pool })).rejects.toThrow(/connectionLimit of the given pool is 1, .*session: false/);
    const store = await rig.open({ pool, session: false });
    expect(await store.enqueue([JOB])).toHaveLength(1);
    await store.close();
  } finally {
    await pool.end();
  }
});
