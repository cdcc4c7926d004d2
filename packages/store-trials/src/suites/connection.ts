import { StoreFailedError } from '@holdfast/contract';
import { expect, vi } from 'vitest';
import { TcpProxy } from '../tcp-proxy.js';
import type { TrialRig } from './trial-rig.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 60_000, worker: 'one' };
const WITHIN = { timeout: 15_000, interval: 20 };
/** A server that is asked more often than every 100 ms who waits for a lock (InnoDB) answers what it found the first time. */
const SELDOM = { timeout: 15_000, interval: 250 };

export interface ConnectionSuite<Rig> {
  /** Of a server whose URL names none. */
  readonly port: number;
  /** Whether the database lets one process tell another something at once. */
  readonly tells: boolean;
  /** Ends the connection that a store keeps, as the server can. */
  endSession(rig: Rig): Promise<unknown>;
  /** Locks what an enqueue with a request id comes to. */
  hold(rig: Rig): Promise<Hold>;
}

interface Hold {
  /** How many wait for it. */
  readonly waiting: () => Promise<number>;
  readonly release: () => Promise<unknown>;
}

export function exerciseConnection<Transaction, Rig extends TrialRig<Transaction>>(
  overRig: (name: string, test: (rig: Rig) => Promise<void>) => void,
  { port, tells, endSession, hold }: ConnectionSuite<Rig>,
): void {
  const overProxy = (name: string, test: (rig: Rig, url: string, proxy: TcpProxy) => Promise<void>) =>
    overRig(name, async (rig) => {
      const { proxy, url } = await TcpProxy.before(rig.url, port);
      try {
        await test(rig, url, proxy);
      } finally {
        await proxy.close();
      }
    });

  overProxy('a connection that was lost is made again, and a claim that waits goes on waiting', expectReconnected);

  overRig('a connection that the server ends is made again, and no lease is lost with it', async (rig) => {
    const store = await rig.open();
    await store.enqueue([JOB]);
    const [job] = await store.claim(CLAIM);
    await endSession(rig);
    await vi.waitFor(() => expect(store.health().reopened).toBeGreaterThan(0), WITHIN);
    expect(await store.ack([{ id: job?.id ?? '', token: job?.token ?? '' }])).toEqual(['ok']);
    await store.enqueue([JOB]);
    expect(await store.claim(CLAIM)).toHaveLength(1);
  });

  overProxy(
    'a call that a network swallows in the middle of a transaction fails in its time, and the store can be closed',
    (rig, url, proxy) => expectNotHeldUp(rig, url, proxy, () => hold(rig)),
  );

  overProxy(
    'a connection that falls silent is given up by both sides: another process leads, and the store is back when it can be',
    (rig, url, proxy) => expectSilenceEnded(rig, url, proxy, tells),
  );

  overProxy(
    'a call that is cut off before its commit leaves nothing behind, and can be made again',
    (rig, url, proxy) => expectNothingLeft(rig, url, proxy, () => hold(rig)),
  );
}

async function expectNothingLeft(
  rig: TrialRig<unknown>,
  url: string,
  proxy: TcpProxy,
  hold: () => Promise<Hold>,
): Promise<void> {
  const store = await rig.open({ connectionString: url });
  await store.enqueue([JOB]);
  const { waiting, release } = await hold();
  try {
    const call = store.enqueue([JOB], { requestId: 'one' });
    const failed = expect(call).rejects.toMatchObject({ name: 'StoreFailedError', outcome: 'rejected' });
    await vi.waitFor(async () => expect(await waiting()).toBe(1), SELDOM);
    proxy.down();
    await failed;
  } finally {
    await release();
  }
  proxy.up();
  await vi.waitFor(() => expect(store.health().status).toBe('open'), WITHIN);
  const again = await store.enqueue([JOB], { requestId: 'one' });
  expect(await store.enqueue([JOB], { requestId: 'one' })).toEqual(again);
  expect((await store.queues())[0]?.counts.ready).toBe(2);
  await store.close();
}

async function expectReconnected(rig: TrialRig<unknown>, url: string, proxy: TcpProxy): Promise<void> {
  const store = await rig.open({ connectionString: url, pollMs: 500 });
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
  await store.close();
}

/** The least that a store waits for a connection to say something, so that the trial is short. */
const SILENCE_MS = 3000;

/** Neither side is told that the other one is gone, as where a machine loses its power, or a firewall forgets a connection. */
async function expectSilenceEnded(rig: TrialRig<unknown>, url: string, proxy: TcpProxy, tells: boolean): Promise<void> {
  const options = { callTimeoutMs: SILENCE_MS, sweepMs: 100, ...(tells ? { pollMs: 60_000 } : {}) };
  const silent = await rig.open({ ...options, connectionString: url });
  await vi.waitFor(async () => expect(await rig.leaders()).toBe(1), WITHIN);
  const other = await rig.open(options);
  await other.enqueue([JOB]);
  await other.claim({ ...CLAIM, leaseMs: 100 });
  proxy.swallow();
  // Only the leader ends a lease that ran out.
  await vi.waitFor(async () => expect(await other.leases(1)).toEqual([]), WITHIN);
  await vi.waitFor(() => expect(silent.health().status).toBe('failed'), WITHIN);
  proxy.carry();
  await vi.waitFor(() => expect(silent.health()).toMatchObject({ status: 'open' }), WITHIN);
  await silent.enqueue([{ ...JOB, queue: 'print' }]);
  expect(await silent.claim({ ...CLAIM, queues: ['print'] })).toHaveLength(1);
  const waiting = silent.claim({ ...CLAIM, queues: ['scan'], waitMs: 30_000 });
  await silent.queues();
  await other.enqueue([{ ...JOB, queue: 'scan' }]);
  expect(await waiting).toHaveLength(1);
  await silent.close();
}

async function expectNotHeldUp(
  rig: TrialRig<unknown>,
  url: string,
  proxy: TcpProxy,
  hold: () => Promise<Hold>,
): Promise<void> {
  const store = await rig.open({ connectionString: url, callTimeoutMs: 2000 });
  await store.enqueue([JOB]);
  const { waiting, release } = await hold();
  try {
    const failed = expect(store.enqueue([JOB], { requestId: 'one' })).rejects.toThrow(StoreFailedError);
    await vi.waitFor(async () => expect(await waiting()).toBe(1), SELDOM);
    proxy.swallow();
    await failed;
    await expect(store.enqueue([JOB])).rejects.toThrow(StoreFailedError);
    expect(store.health().status).toBe('failed');
  } finally {
    await release();
  }
  await store.close();
}
