import { StoreFailedError, StoreOpenError } from '@holdfast/contract';
import { TcpProxy } from '@holdfast/store-trials';
import mysql from 'mysql2/promise';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openMysqlStore } from '../src/index.js';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };
const WITHIN = { timeout: 15_000, interval: 20 };

const database = await findTestDatabase();
const { url } = database ?? { url: '' };

/** Does something with a rig of its own, and drops what it made. */
async function withRig(use: (rig: MysqlRig) => Promise<void>, rig = new MysqlRig(url)): Promise<void> {
  try {
    await use(rig);
  } finally {
    await rig.close();
  }
}

async function withProxy(use: (rig: MysqlRig, proxy: TcpProxy) => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port || 3306) });
  const through = new URL(url);
  through.host = `127.0.0.1:${await proxy.listen()}`;
  const rig = new MysqlRig(url, { connectionString: through.href });
  try {
    await withRig((given) => use(given, proxy), rig);
  } finally {
    await proxy.close();
  }
}

describe('a database that cannot be used', () => {
  it('is refused in time, and named, where nobody answers', async () => {
    const opened = openMysqlStore({ connectionString: 'mysql://nobody:secret@127.0.0.1:1/none' });
    await expect(opened).rejects.toThrow(StoreOpenError);
    await expect(opened).rejects.toThrow(/127\.0\.0\.1:1\/none.*ECONNREFUSED/);
    await expect(opened).rejects.not.toThrow(/secret/);
  });

  it('is refused where the address is none', async () => {
    await expect(openMysqlStore({ connectionString: 'nowhere' })).rejects.toThrow(/mysql:\/\//);
    await expect(openMysqlStore({})).rejects.toThrow(/exactly one/);
    const schema = 'a`b';
    await expect(openMysqlStore({ connectionString: 'mysql://root@127.0.0.1/', schema })).rejects.toThrow(/schema/);
  });
});

describe.concurrent('the connection', () => {
  beforeEach((context) => context.skip(database === undefined, NO_DATABASE));

  it('is made again after it was lost, and a claim that waits goes on waiting', () =>
    withProxy(async (rig, proxy) => {
      const store = await rig.open({ pollMs: 500 });
      await store.enqueue([{ ...JOB, queue: 'other' }]);
      const waiting = store.claim({ ...CLAIM, waitMs: 30_000 });
      // Two answers later the claim has looked once and waits.
      for (let answer = 0; answer < 2; answer++) await store.queues();
      proxy.down();
      await vi.waitFor(() => expect(store.health().status).toBe('failed'), WITHIN);
      expect(store.health().detail).toContain('connects again by itself');
      const refused = store.enqueue([JOB]);
      await expect(refused).rejects.toThrow(StoreFailedError);
      await expect(refused).rejects.toMatchObject({ outcome: 'rejected' });
      proxy.up();
      await vi.waitFor(() => expect(store.health().status).toBe('open'), WITHIN);
      expect(store.health().reopened).toBeGreaterThan(0);
      const [enqueued] = await store.enqueue([JOB]);
      expect(await waiting).toMatchObject([{ id: enqueued?.id, attempt: 1 }]);
    }));

  it('is made again when the server ends it, and no lease is lost with it', () =>
    withRig(async (rig) => {
      const store = await rig.open();
      await store.enqueue([JOB]);
      const [job] = await store.claim(CLAIM);
      const [holder] = await rig.query<{ id: number }>(
        `select is_used_lock(concat('hf:${rig.schema}:of:', id)) as id from ${rig.schema}.process`,
      );
      await rig.query(`kill ${holder?.id}`);
      await vi.waitFor(() => expect(store.health().reopened).toBeGreaterThan(0), WITHIN);
      expect(await store.ack([{ id: job?.id ?? '', token: job?.token ?? '' }])).toEqual(['ok']);
      await store.enqueue([JOB]);
      expect(await store.claim(CLAIM)).toHaveLength(1);
    }));

  it('that is lost while a call is under way leaves nothing behind, and the call can be made again', () =>
    withProxy(async (rig, proxy) => {
      const store = await rig.open();
      await store.enqueue([JOB]);
      // Holds the lock of the request, so that the call is under way when it is cut off.
      const holder = await mysql.createConnection({ uri: rig.url });
      await holder.beginTransaction();
      await holder.query(`select * from ${rig.schema}.name_lock for update`);
      const call = store.enqueue([JOB], { requestId: 'one' });
      const failed = expect(call).rejects.toMatchObject({ name: 'StoreFailedError', outcome: 'rejected' });
      await vi.waitFor(async () => {
        const text = "select 1 from information_schema.innodb_trx where trx_state = 'LOCK WAIT' and trx_query like ?";
        expect(await rig.query(text, [`%${rig.schema}.name_lock%`])).toHaveLength(1);
      }, WITHIN);
      proxy.down();
      await failed;
      await holder.rollback();
      await holder.end();
      proxy.up();
      await vi.waitFor(() => expect(store.health().status).toBe('open'), WITHIN);
      const again = await store.enqueue([JOB], { requestId: 'one' });
      expect(await store.enqueue([JOB], { requestId: 'one' })).toEqual(again);
      expect((await store.queues())[0]?.counts.ready).toBe(2);
    }));

  it('of a pool of the caller is used as it is set up, and left open', () =>
    withRig(async (rig) => {
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
    }));
});
