import type { LeasedJob } from '@holdfast/contract';
import { expect } from 'vitest';
import type { Bench } from '../bench.js';
import type { Rules } from '../rules.js';

const WAIT_MS = 10_000;

/** A claim that is under way, and whether it was answered. */
async function waitingClaim(bench: Bench, request: Parameters<Bench['claim']>[0] = {}) {
  const waiting: { answered: boolean; answer: Promise<LeasedJob[]> } = {
    answered: false,
    answer: bench.claim({ waitMs: WAIT_MS, ...request }).finally(() => {
      waiting.answered = true;
    }),
  };
  await bench.time.settle();
  expect(waiting.answered).toBe(false);
  return waiting;
}

/** Something that makes the one job of the queue ready while a claim waits for it. */
async function wokenBy(bench: Bench, makeReady: () => Promise<unknown>, advanceMs = 0): Promise<LeasedJob> {
  const waiting = await waitingClaim(bench);
  await makeReady();
  await bench.time.advance(advanceMs);
  await bench.eventually(async () => expect(waiting.answered).toBe(true));
  const jobs = await waiting.answer;
  expect(jobs).toHaveLength(1);
  return jobs[0]!;
}

export const waitingRules: Rules = {
  async 'is not needed when something is ready'(bench) {
    const id = await bench.add();
    expect(await bench.claim({ waitMs: WAIT_MS })).toMatchObject([{ id }]);
  },

  async 'ends with nothing after its time, not before'(bench) {
    const waiting = await waitingClaim(bench, { waitMs: 1000 });
    await bench.time.advance(1000 - bench.time.graceMs);
    expect(waiting.answered).toBe(false);
    await bench.time.advance(bench.time.graceMs);
    await bench.eventually(async () => expect(waiting.answered).toBe(true), 500);
    expect(await waiting.answer).toEqual([]);
  },

  async 'ends with a job that is enqueued'(bench) {
    const job = await wokenBy(bench, () => bench.enqueue({ payload: 'late' }));
    expect(job).toMatchObject({ payload: 'late', attempt: 1 });
  },

  async 'ends with a job that becomes due'(bench) {
    await bench.add({ delayMs: 800 });
    await wokenBy(bench, async () => {}, 800);
  },

  async 'ends with a job that is handed back'(bench) {
    const leased = await bench.leased();
    expect(await wokenBy(bench, () => bench.release(leased))).toMatchObject({ id: leased.id, attempt: 1 });
  },

  async 'ends with a job that is tried again'(bench) {
    const leased = await bench.leased();
    expect(await wokenBy(bench, () => bench.fail(leased, 400), 400)).toMatchObject({ id: leased.id, attempt: 2 });
  },

  async 'ends with a job whose lease ran out'(bench) {
    const backoff = { kind: 'fixed', baseMs: 0, maxMs: 0, jitter: 'none' } as const;
    const leased = await bench.leased({ backoff }, { leaseMs: 500 });
    expect(await wokenBy(bench, async () => {}, 500)).toMatchObject({ id: leased.id, attempt: 2 });
  },

  async 'ends with a job that is redriven'(bench) {
    const id = await bench.dead();
    expect(await wokenBy(bench, () => bench.store.redrive({ ids: [id] }, { actor: 'olga' }))).toMatchObject({ id });
  },

  async 'goes on past jobs of other queues and names'(bench) {
    const waiting = await waitingClaim(bench, { names: ['send'] });
    await bench.enqueue({ queue: 'print' }, { name: 'bounce' });
    await bench.time.settle();
    expect(waiting.answered).toBe(false);
    const id = await bench.add();
    expect(await waiting.answer).toMatchObject([{ id }]);
  },

  async 'gives each of many who wait a job of their own'(bench) {
    const waiting = await Promise.all(Array.from({ length: 5 }, () => waitingClaim(bench, { limit: 1 })));
    await bench.enqueue({}, {}, {}, {}, {});
    const jobs = (await Promise.all(waiting.map(({ answer }) => answer))).flat();
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(5);
    expect(await bench.claim()).toEqual([]);
  },

  async 'takes no more than its limit, and leaves the rest'(bench) {
    const waiting = await waitingClaim(bench, { limit: 2 });
    await bench.enqueue({}, {}, {});
    const got = (await waiting.answer).length;
    expect(got).toBeGreaterThan(0);
    expect(got).toBeLessThanOrEqual(2);
    expect(await bench.claim()).toHaveLength(3 - got);
  },

  async 'ends with nothing when it is aborted'(bench) {
    const controller = new AbortController();
    const waiting = await waitingClaim(bench, { signal: controller.signal });
    controller.abort();
    expect(await waiting.answer).toEqual([]);
    const id = await bench.add();
    await bench.time.settle();
    expect(await bench.job(id)).toMatchObject({ state: 'ready', attempts: 0 });
  },

  async 'does not begin when it is aborted before'(bench) {
    const id = await bench.add();
    expect(await bench.claim({ waitMs: WAIT_MS, signal: AbortSignal.abort() })).toEqual([]);
    expect(await bench.job(id)).toMatchObject({ state: 'ready', attempts: 0 });
  },

  async 'loses no job when a job and the abort come together'(bench) {
    const controller = new AbortController();
    const waiting = await waitingClaim(bench, { signal: controller.signal });
    const enqueued = bench.add();
    controller.abort();
    const id = await enqueued;
    const got = await waiting.answer;
    if (got.length === 0) {
      await bench.eventually(async () => expect(await bench.job(id)).toMatchObject({ state: 'ready', attempts: 0 }));
    } else {
      expect(got).toMatchObject([{ id }]);
    }
  },

  async 'hands back uncounted what an aborted claim had leased'(bench) {
    const id = await bench.add();
    const controller = new AbortController();
    const claiming = bench.claim({ signal: controller.signal });
    controller.abort();
    expect(await claiming).toEqual([]);
    await bench.eventually(async () => expect(await bench.job(id)).toMatchObject({ state: 'ready', attempts: 0 }));
  },

  async 'ends with nothing when the store is closed'(bench) {
    const waiting = await waitingClaim(bench);
    await bench.store.close();
    expect(await waiting.answer).toEqual([]);
  },
};
