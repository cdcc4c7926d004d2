import { type LeasedJob, StoreClosedError } from '@holdfast/contract';
import { settled } from '@holdfast/testing';
import { describe, expect, it } from 'vitest';
import type { ClaimedJob } from '../../src/engine/engine-calls.js';
import { formatToken, makeToken } from '../../src/identity.js';
import { ClientRig } from './client-rig.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const CLAIM = { queues: ['mail'], limit: 10, leaseMs: 1000, waitMs: 5000, worker: 'w' };

function leaseRef(number: number) {
  return { id: `abcde-${number}`, token: formatToken(makeToken(1, number)) };
}

function claimedJob(number: number): ClaimedJob {
  const backoff = { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' } as const;
  const shape = { queue: 'mail', name: 'send', priority: 0, maxAttempts: 5, backoff };
  return {
    id: number,
    token: makeToken(1, number),
    shape,
    payload: 'x',
    attempt: 1,
    enqueuedAtMs: 1,
    extras: undefined,
  };
}

describe('calls of one turn', () => {
  it('are one call to the engine for each kind, settling first, and each gets its own answer', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const answers = await Promise.all([
      store.queues(),
      store.enqueue([JOB, { ...JOB, delayMs: 5 }]),
      store.ack([leaseRef(1)]),
      store.enqueue([JOB]),
      store.extend([{ ...leaseRef(2), leaseMs: 500 }]),
      store.ack([{ id: 'other-1', token: 'x' }, leaseRef(3)]),
    ]);
    expect(rig.engine.told).toEqual(['extend 1', 'ack 3', 'enqueue 3', 'queues']);
    expect(answers).toEqual([
      [],
      [
        { id: 'abcde-1', state: 'ready', outcome: 'created' },
        { id: 'abcde-2', state: 'scheduled', outcome: 'created' },
      ],
      ['ok'],
      [{ id: 'abcde-3', state: 'ready', outcome: 'created' }],
      ['ok'],
      ['missing', 'ok'],
    ]);
  });

  it('leave an enqueue with a request id a call of its own, in its place among the others', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const answers = await Promise.all([
      store.enqueue([JOB]),
      store.enqueue([JOB, JOB], { requestId: 'one' }),
      store.enqueue([JOB], {}),
      store.enqueue([JOB]),
    ]);
    expect(rig.engine.told).toEqual(['enqueue 1', 'enqueue 2 as one', 'enqueue 2']);
    expect(answers.flat().map(({ id }) => id)).toEqual(['abcde-1', 'abcde-2', 'abcde-3', 'abcde-4', 'abcde-5']);
  });

  it('are answered for the jobs that they had, whatever their caller does with its list meanwhile', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const lists = [
      [JOB, JOB],
      [JOB, JOB],
    ];
    const calls = [store.enqueue(lists[0]!, { requestId: 'one' }), store.enqueue(lists[1]!)];
    lists[0]!.length = 0;
    lists[1]!.push(JOB);
    expect((await Promise.all(calls)).map(({ length }) => length)).toEqual([2, 2]);
  });

  it('are merged also when they are made by promises that follow from each other', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const layered = async (layers: number): Promise<unknown> => {
      if (layers > 0) return layered(layers - 1);
      return store.enqueue([JOB]);
    };
    await Promise.all(Array.from({ length: 100 }, (_, index) => Promise.resolve().then(() => layered(index % 5))));
    expect(rig.engine.told).toEqual(['enqueue 100']);
  });

  it('need no engine when there is nothing in them', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    expect(await Promise.all([store.enqueue([]), store.ack([]), store.release([])])).toEqual([[], [], []]);
    expect(rig.engine.told).toEqual([]);
  });

  it('leave the others alone when one of them is refused', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const [good, bad, also] = await Promise.allSettled([
      store.enqueue([{ ...JOB, payload: 'a' }]),
      store.enqueue([
        { ...JOB, payload: 'b' },
        { ...JOB, name: '' },
      ]),
      store.enqueue([{ ...JOB, payload: 'c' }]),
    ]);
    expect([good?.status, bad?.status, also?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(rig.engine.enqueued.map(({ payload }) => payload)).toEqual(['a', 'c']);
  });
});

describe('claim', () => {
  it('answers the leased jobs', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const claim = store.claim(CLAIM);
    await settled();
    rig.engine.claims[0]!(undefined, [claimedJob(7)]);
    const expected: LeasedJob = {
      ...leaseRef(7),
      queue: 'mail',
      name: 'send',
      payload: 'x',
      priority: 0,
      attempt: 1,
      maxAttempts: 5,
      enqueuedAtMs: 1,
      leaseMs: 1000,
    };
    expect(await claim).toEqual([expected]);
  });

  it('ends when its signal aborts', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const abort = new AbortController();
    const claim = store.claim({ ...CLAIM, signal: abort.signal });
    await settled();
    abort.abort();
    expect(await claim).toEqual([]);
    expect(rig.engine.told).toEqual(['claim 10', 'cancel']);
  });

  it('is not even asked for when its signal has aborted before', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    expect(await store.claim({ ...CLAIM, signal: AbortSignal.abort() })).toEqual([]);
    expect(rig.engine.told).toEqual([]);
  });

  it('hands back what was leased to it before the abort arrived', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const abort = new AbortController();
    const claim = store.claim({ ...CLAIM, signal: abort.signal });
    await settled();
    rig.engine.claims[0]!(undefined, [claimedJob(7), claimedJob(8)]);
    abort.abort();
    expect(await claim).toEqual([]);
    expect(rig.engine.told).toContain('release 2');
  });
});

describe('a sign of life', () => {
  it('is given after the calls that were made before it, and only then leases end', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.hooks.onLeasesDue();
    rig.hooks.onLeasesDue();
    await settled();
    expect(rig.whenCaughtUp).toHaveLength(1);
    expect(rig.engine.told).toEqual([]);
    void store.extend([{ ...leaseRef(1), leaseMs: 500 }]);
    rig.whenCaughtUp.pop()!();
    await settled();
    expect(rig.engine.told).toEqual(['extend 1', 'expire']);
  });

  it('is measured: how long the application let the engine wait', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.hooks.onLeasesDue();
    await rig.clock.advance(3000);
    expect((await store.metrics()).applicationStallMsMax).toBe(3000);
    rig.whenCaughtUp.pop()!();
    await rig.clock.advance(9000);
    expect((await store.metrics()).applicationStallMsMax).toBe(3000);
  });

  it('comes after leases that this thread got late were extended', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const claim = store.claim(CLAIM);
    await settled();
    rig.engine.claims[0]!(undefined, [claimedJob(7)]);
    rig.hooks.onLeasesDue();
    rig.clock.leap(1500);
    expect(await claim).toHaveLength(1);
    rig.whenCaughtUp.pop()!();
    await settled();
    expect(rig.engine.told.slice(-2)).toEqual(['extend 1', 'expire']);
  });
});

describe('close', () => {
  it('lets what was asked before it finish, hands leases back, and is done only once', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const claim = store.claim(CLAIM);
    await settled();
    rig.engine.leaseRows = [{ ...leaseRef(5) } as (typeof rig.engine.leaseRows)[number]];
    const enqueued = store.enqueue([JOB]);
    await Promise.all([store.close(), store.close()]);
    expect(await enqueued).toHaveLength(1);
    expect(await claim).toEqual([]);
    expect(rig.engine.told).toEqual(['claim 10', 'enqueue 1', 'release 1', 'close']);
    expect(store.health()).toMatchObject({ status: 'closed' });
  });

  it('refuses what comes after it', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const closing = store.close();
    await expect(store.enqueue([JOB])).rejects.toBeInstanceOf(StoreClosedError);
    await expect(store.claim(CLAIM)).rejects.toBeInstanceOf(StoreClosedError);
    await expect(store.queues()).rejects.toBeInstanceOf(StoreClosedError);
    await closing;
    await expect(store.ack([leaseRef(1)])).rejects.toBeInstanceOf(StoreClosedError);
    await store.close();
  });

  it('ends in bounded time when the engine does not', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    rig.engine.close = () => {};
    const closing = expect(store.close()).rejects.toMatchObject({ code: 'STORE_FAILED', outcome: 'unknown' });
    await rig.clock.advance(30_000);
    await closing;
    expect(store.health().status).toBe('closed');
    expect(rig.clock.timers).toBe(0);
  });
});

describe('acts of operators', () => {
  it('are checked, told to the engine, and answered in texts', async () => {
    const rig = new ClientRig();
    const store = await rig.open();
    const by = { actor: 'olga' };
    const ids = { ids: ['abcde-1'] };
    await Promise.all([store.cancel(ids, by), store.remove(ids, by), store.runNow(ids, by)]);
    await store.reprioritise(ids, 7, by);
    await store.transfer?.(ids, 'bulk', by);
    expect(await store.clone('abcde-1', by, { payload: '{}' })).toEqual({
      id: 'abcde-z',
      state: 'ready',
      outcome: 'created',
    });
    expect(await store.clone('abcde-1', by, { payload: 'unknown' })).toBeUndefined();
    expect(await store.pause('mail', by, { forMs: 4.5 })).toEqual({ sinceMs: 1, actor: 'olga' });
    expect(await store.resume('mail', by)).toBe(false);
    expect(rig.engine.told).toEqual([
      'cancel',
      'remove',
      'runNow',
      'reprioritise 7',
      'transfer bulk',
      'clone abcde-1 {}',
      'clone abcde-1 unknown',
      'pause mail 5',
      'resume mail',
    ]);
    await expect(store.reprioritise(ids, -1, by)).rejects.toThrow(/^priority is -1/);
    await expect(store.transfer?.(ids, '', by)).rejects.toThrow(/^queue is/);
    await expect(store.pause('mail', by, { forMs: 0 })).rejects.toThrow(/^pause\.forMs is 0/);
    await expect(store.clone('abcde-1', by, { payload: '\ud800' })).rejects.toThrow(/^clone\.payload/);
    await expect(store.cancel(ids, { actor: '' })).rejects.toThrow(/^by\.actor/);
  });
});
