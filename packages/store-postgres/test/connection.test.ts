import { StoreFailedError, StoreOpenError } from '@holdfast/contract';
import { TcpProxy } from '@holdfast/store-trials';
import pg from 'pg';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openPostgresStore } from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };
const WITHIN = { timeout: 15_000, interval: 20 };

const database = await findTestDatabase();
const { url } = database ?? { url: '' };

/** Does something with a rig of its own, and drops what it made. */
async function withRig(use: (rig: PostgresRig) => Promise<void>, rig = new PostgresRig(url)): Promise<void> {
  try {
    await use(rig);
  } finally {
    await rig.close();
  }
}

async function withProxy(use: (rig: PostgresRig, proxy: TcpProxy) => Promise<void>): Promise<void> {
  const { hostname, port } = new URL(url);
  const proxy = new TcpProxy({ host: hostname, port: Number(port || 5432) });
  const through = new URL(url);
  through.host = `127.0.0.1:${await proxy.listen()}`;
  const rig = new PostgresRig(url, { connectionString: through.href });
  try {
    await withRig((given) => use(given, proxy), rig);
  } finally {
    await proxy.close();
  }
}

describe('a database that cannot be used', () => {
  it('is refused in time, and named, where nobody answers', async () => {
    const opened = openPostgresStore({ connectionString: 'postgres://nobody:secret@127.0.0.1:1/none' });
    await expect(opened).rejects.toThrow(StoreOpenError);
    await expect(opened).rejects.toThrow(/127\.0\.0\.1:1\/none.*ECONNREFUSED/);
    await expect(opened).rejects.not.toThrow(/secret/);
  });

  it.for([
    ['synchronous_commit=off', /synchronous_commit is off/],
    ['default_transaction_isolation=serializable', /default_transaction_isolation is serializable/],
  ] as const)('is refused with %s', async ([setting, message], context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const options = encodeURIComponent(`-c ${setting}`);
    const opened = openPostgresStore({ connectionString: `${url}?options=${options}`, schema: 'hf_test_never_made' });
    await expect(opened).rejects.toThrow(message);
  });
});

describe('the connection', () => {
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
      await rig.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = '${rig.schema}.process'::regclass::oid`,
      );
      await vi.waitFor(() => expect(store.health().reopened).toBeGreaterThan(0), WITHIN);
      expect(await store.ack([{ id: job?.id ?? '', token: job?.token ?? '' }])).toEqual(['ok']);
      await store.enqueue([JOB]);
      expect(await store.claim(CLAIM)).toHaveLength(1);
    }));

  it('that is lost while a call is under way leaves it open what became of it', () =>
    withProxy(async (rig, proxy) => {
      const store = await rig.open();
      await store.enqueue([JOB]);
      // Holds the table, so that the call is under way when it is cut off.
      const holder = new pg.Client({ connectionString: rig.url });
      await holder.connect();
      await holder.query(`begin; lock table ${rig.schema}.job`);
      const call = store.enqueue([JOB], { requestId: 'one' });
      const failed = expect(call).rejects.toBeInstanceOf(StoreFailedError);
      await vi.waitFor(async () => {
        const text = `select 1 from pg_locks where relation = '${rig.schema}.job'::regclass and not granted`;
        expect(await rig.query(text)).toHaveLength(1);
      }, WITHIN);
      proxy.down();
      await failed;
      proxy.up();
      await holder.query('commit');
      await holder.end();
      await vi.waitFor(() => expect(store.health().status).toBe('open'), WITHIN);
      const again = await store.enqueue([JOB], { requestId: 'one' });
      expect(await store.enqueue([JOB], { requestId: 'one' })).toEqual(again);
      expect((await store.queues())[0]?.counts.ready).toBe(2);
    }));
});
