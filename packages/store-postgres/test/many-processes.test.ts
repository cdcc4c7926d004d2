import { expect, it, vi } from 'vitest';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };
const BY = { actor: 'olga' };
const WITHIN = { timeout: 15_000, interval: 20 };
/** So slow that only a notification can have woken anybody. */
const DEAF = { pollMs: 60_000 };

const database = await findTestDatabase();

/** Each opens the store as another process would. */
function overRig(name: string, test: (rig: PostgresRig) => Promise<void>): void {
  it(name, async (context) => {
    if (database === undefined) context.skip(NO_DATABASE);
    const rig = new PostgresRig(database?.url ?? '');
    try {
      await test(rig);
    } finally {
      await rig.close();
    }
  });
}

overRig('a claim that waits in one process is woken by what another one makes ready', async (rig) => {
  const [one, other] = [await rig.open(DEAF), await rig.open(DEAF)];
  for (const make of [
    () => other.enqueue([JOB]),
    () => other.enqueue([{ ...JOB, delayMs: 300 }]),
    async () => {
      const [cloned] = (await other.browse({ queue: 'mail' }, { limit: 1 })).rows;
      await other.clone(cloned?.id ?? '', BY);
    },
  ]) {
    await one.enqueue([{ ...JOB, queue: 'known' }]);
    const waiting = one.claim({ ...CLAIM, waitMs: 30_000 });
    await make();
    const jobs = await waiting;
    expect(jobs).toHaveLength(1);
    await one.ack(jobs.map(({ id, token }) => ({ id, token })));
  }
});

overRig('a job that another process cancels or settles is known to be so by its worker', async (rig) => {
  const [worker, operator] = [await rig.open(), await rig.open()];
  await worker.enqueue([JOB, JOB]);
  const [cancelled, frozen] = (await worker.claim(CLAIM)).map(({ id, token }) => ({ id, token }));
  if (cancelled === undefined || frozen === undefined) throw new Error('There were two jobs.');
  const told: unknown[] = [];
  const stop = worker.onLeasesCancelled((leases) => told.push(...leases));
  await operator.cancel({ ids: [cancelled.id] }, BY);
  await vi.waitFor(() => expect(told).toEqual([cancelled]), WITHIN);
  stop();
  expect(await worker.extend([{ ...cancelled, leaseMs: 1000 }])).toEqual(['cancelled']);
  // The lease of a worker that was frozen runs out, somebody else does the job, and the worker comes back to life.
  await worker.extend([{ ...frozen, leaseMs: 100 }]);
  await vi.waitFor(async () => expect(await operator.leases(10)).toEqual([]), WITHIN);
  await operator.runNow({ ids: [frozen.id] }, BY);
  const [again] = await operator.claim(CLAIM);
  expect(again).toMatchObject({ id: frozen.id, attempt: 2 });
  expect(await operator.ack([{ id: frozen.id, token: again?.token ?? '' }])).toEqual(['ok']);
  const error = { class: 'E', message: 'late' };
  // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
  expect(await worker.fail([{ ...frozen, error, then: 'dead' }])).toEqual(['stale']);
  expect(await worker.ack([frozen])).toEqual(['stale']);
  expect(await worker.job(frozen.id)).toMatchObject({ state: 'completed', attempts: 2 });
});

overRig('events of all processes are heard in each', async (rig) => {
  const [one, other] = [await rig.open(), await rig.open()];
  const stop = new AbortController();
  const seen: string[] = [];
  const listening = (async () => {
    const events = one.events({ kinds: ['completed', 'dead'], signal: stop.signal });
    for await (const { kind } of events) seen.push(kind);
  })();
  await one.enqueue([JOB, JOB]);
  const [first, second] = (await other.claim(CLAIM)).map(({ id, token }) => ({ id, token }));
  if (first === undefined || second === undefined) throw new Error('There were two jobs.');
  await other.ack([first]);
  // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
  await other.fail([{ ...second, error: { class: 'E', message: 'no' }, then: 'dead' }]);
  await vi.waitFor(() => expect(seen).toEqual(['completed', 'dead']), WITHIN);
  stop.abort();
  await listening;
});

overRig('another process does what is due when the leader is gone', async (rig) => {
  const leader = await rig.open({ sweepMs: 100 });
  await vi.waitFor(async () => expect(await leaders(rig)).toHaveLength(1), WITHIN);
  const next = await rig.open({ sweepMs: 100 });
  await leader.enqueue([JOB]);
  await next.claim({ ...CLAIM, leaseMs: 100 });
  await leader.abandon();
  await vi.waitFor(async () => expect(await next.leases(1)).toEqual([]), WITHIN);
});

overRig('workers of all processes are known, also of one that ended without a word', async (rig) => {
  const [one, other] = [await rig.open(), await rig.open()];
  await one.enqueue([JOB, { ...JOB, queue: 'print' }]);
  await other.claim({ ...CLAIM, queues: ['print'], worker: 'gone' });
  await other.abandon();
  await one.claim({ ...CLAIM, worker: 'here', names: ['send'] });
  expect(await one.workers()).toMatchObject([
    { name: 'gone', queues: ['print'], busy: 1, free: 0, waiting: false },
    { name: 'here', queues: ['mail'], names: ['send'], busy: 1, waiting: false },
  ]);
  const next = await rig.open();
  await vi.waitFor(async () => {
    expect(await next.workers()).toMatchObject([{ name: 'gone' }, { name: 'here', names: ['send'], busy: 1 }]);
  }, WITHIN);
});

overRig('who opens at the same moment makes the schema once', async (rig) => {
  const stores = await Promise.all([rig.open(), rig.open(), rig.open(), rig.open()]);
  expect(new Set(await Promise.all(stores.map(async (store) => (await store.storage()).storeId))).size).toBe(1);
  expect(await rig.query(`select version from ${rig.schema}.migration`)).toHaveLength(1);
});

overRig('without a session everything works by polling', async (rig) => {
  const [one, other] = [
    await rig.open({ session: false, pollMs: 100, sweepMs: 100 }),
    await rig.open({ session: false }),
  ];
  const waiting = one.claim({ ...CLAIM, leaseMs: 100, waitMs: 30_000 });
  const [enqueued] = await other.enqueue([{ ...JOB, delayMs: 200 }]);
  expect(await waiting).toMatchObject([{ id: enqueued?.id }]);
  await vi.waitFor(async () => expect(await one.leases(1)).toEqual([]), WITHIN);
});

function leaders(rig: PostgresRig): Promise<unknown[]> {
  return rig.query(
    `select 1 from pg_locks where locktype = 'advisory' and classid = '${rig.schema}.queue'::regclass::oid`,
  );
}
