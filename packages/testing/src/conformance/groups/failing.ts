import type { Backoff } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { type Bench, FAILURE, refOf } from '../bench.js';
import type { Rules } from '../rules.js';

/** How long a job waits after each of its attempts failed. It is then made to wait no longer. */
async function delaysOf(bench: Bench, backoff: Backoff, attempts: number): Promise<number[]> {
  const delays: number[] = [];
  let job = await bench.leased({ backoff, maxAttempts: null });
  for (let attempt = 1; attempt <= attempts; attempt++) {
    await bench.fail(job);
    const { state, runAtMs, updatedAtMs, attempts: counted, attemptLog } = await bench.job(job.id);
    expect(counted).toBe(attempt);
    // One that waits no longer than it takes to look has become ready already.
    expect(state === 'scheduled' || runAtMs === updatedAtMs).toBe(true);
    const waitsMs = runAtMs - (attemptLog.at(-1)?.endedAtMs ?? Number.NaN);
    delays.push(waitsMs);
    await bench.time.advance(waitsMs);
    await bench.eventually(async () => expect(await bench.state(job.id)).toBe('ready'));
    job = await bench.claimOne();
  }
  return delays;
}

export const failingRules: Rules = {
  async 'waits as long as a fixed backoff says'(bench) {
    expect(await delaysOf(bench, { kind: 'fixed', baseMs: 70, maxMs: 1000, jitter: 'none' }, 3)).toEqual([70, 70, 70]);
    expect(await delaysOf(bench, { kind: 'fixed', baseMs: 70, maxMs: 30, jitter: 'none' }, 2)).toEqual([30, 30]);
  },

  async 'waits twice as long after each failure where the backoff is exponential, up to its maximum'(bench) {
    const backoff = { kind: 'exponential', baseMs: 20, maxMs: 100, jitter: 'none' } as const;
    expect(await delaysOf(bench, backoff, 5)).toEqual([20, 40, 80, 100, 100]);
  },

  async 'draws the wait from the whole range with full jitter'(bench) {
    const backoff = { kind: 'exponential', baseMs: 40, maxMs: 100, jitter: 'full' } as const;
    const delays = await delaysOf(bench, backoff, 4);
    for (const [index, maxMs] of [40, 80, 100, 100].entries()) {
      expect(delays[index]).toBeGreaterThanOrEqual(0);
      expect(delays[index]).toBeLessThanOrEqual(maxMs);
      expect(Number.isInteger(delays[index])).toBe(true);
    }
  },

  async 'waits between the base and three times the step before with decorrelated jitter'(bench) {
    const backoff = { kind: 'exponential', baseMs: 20, maxMs: 100, jitter: 'decorrelated' } as const;
    for (const [index, delayMs] of (await delaysOf(bench, backoff, 4)).entries()) {
      expect(delayMs).toBeGreaterThanOrEqual(20);
      expect(delayMs).toBeLessThanOrEqual(Math.min(100, 20 * 3 ** (index + 1)));
      expect(Number.isInteger(delayMs)).toBe(true);
    }
  },

  async 'waits as an exponential one where its backoff is a function that nobody was asked for'(bench) {
    const backoff = { kind: 'named', name: 'webhook', baseMs: 20, maxMs: 30, jitter: 'none' } as const;
    expect(await delaysOf(bench, backoff, 3)).toEqual([20, 30, 30]);
  },

  async 'tells the worker which function of its own says how long to wait, in each attempt'(bench) {
    const first = await bench.leased({ backoff: { kind: 'named', name: 'веб-хук' }, headers: { a: 'b' } });
    expect(first).toMatchObject({ backoffName: 'веб-хук', name: 'send', headers: { a: 'b' } });
    await bench.fail(first, 7);
    await bench.reopen('closed');
    await bench.eventually(async () => expect(await bench.state(first.id)).toBe('ready'));
    expect(await bench.claimOne()).toMatchObject({ id: first.id, backoffName: 'веб-хук' });
    expect(await bench.leased()).not.toHaveProperty('backoffName');
  },

  async 'keeps kinds apart that differ in the name of their backoff alone'(bench) {
    const names = ['a', 'b', 'a', undefined];
    await bench.enqueue(
      ...names.map((name) => (name === undefined ? {} : { backoff: { kind: 'named' as const, name } })),
    );
    expect((await bench.claim()).map(({ backoffName }) => backoffName)).toEqual(names);
  },

  async 'is not handed out before its wait is over'(bench) {
    const job = await bench.leased({ backoff: { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' } });
    await bench.fail(job);
    expect(await bench.state(job.id)).toBe('scheduled');
    await bench.time.advance(1000 - bench.time.graceMs);
    expect(await bench.claim()).toEqual([]);
    await bench.time.advance(bench.time.graceMs);
    await bench.eventually(async () => expect(await bench.claim()).toMatchObject([{ id: job.id, attempt: 2 }]));
  },

  async 'is tried again when the worker says, whatever the backoff is'(bench) {
    const job = await bench.leased();
    await bench.fail(job, 300.5);
    const { runAtMs, updatedAtMs } = await bench.job(job.id);
    expect(runAtMs - updatedAtMs).toBe(301);
  },

  async 'can be tried again at once'(bench) {
    const job = await bench.leased();
    await bench.fail(job, 0);
    await bench.eventually(async () => expect(await bench.claim()).toMatchObject([{ id: job.id, attempt: 2 }]));
  },

  async 'is dead after its last attempt, with the error'(bench) {
    const first = await bench.leased({ maxAttempts: 2 });
    await bench.fail(first, 0);
    await bench.eventually(async () => expect(await bench.state(first.id)).toBe('ready'));
    const second = await bench.claimOne();
    expect(second.attempt).toBe(2);
    // A wait that the worker asks for gives no further attempt.
    await bench.fail(second, 0, { class: 'RangeError', message: 'too far' });
    const job = await bench.job(first.id);
    expect(job).toMatchObject({ state: 'dead', attempts: 2 });
    expect(job.lastError).toEqual({ class: 'RangeError', message: 'too far' });
    await bench.time.advance(2000);
    expect(await bench.claim()).toEqual([]);
  },

  async 'is dead at once when there is one attempt, or when its worker says so'(bench) {
    const single = await bench.leased({ maxAttempts: 1 });
    await bench.fail(single);
    expect(await bench.state(single.id)).toBe('dead');
    const hopeless = await bench.leased({ maxAttempts: null });
    await bench.fail(hopeless, 'dead');
    expect(await bench.job(hopeless.id)).toMatchObject({ state: 'dead', attempts: 1 });
  },

  async 'never gives up where attempts are without end'(bench) {
    let job = await bench.leased({ maxAttempts: null });
    for (let attempt = 1; attempt <= 12; attempt++) {
      await bench.fail(job, 0);
      await bench.eventually(async () => expect(await bench.state(job.id)).toBe('ready'));
      job = await bench.claimOne();
    }
    expect(await bench.job(job.id)).toMatchObject({ state: 'leased', attempts: 13, maxAttempts: null });
  },

  async 'keeps every attempt with its error'(bench) {
    const error = { class: 'TypeError', message: 'first line\nsecond line', stack: 'TypeError\n    at send' };
    const first = await bench.leased({}, { worker: 'worker-1' });
    await bench.fail(first, 0, error);
    await bench.eventually(async () => expect(await bench.state(first.id)).toBe('ready'));
    const second = await bench.claimOne({ worker: 'worker-2' });
    await bench.fail(second, 60_000);
    const { attemptLog, lastError } = await bench.job(first.id);
    expect(attemptLog).toMatchObject([
      { attempt: 1, worker: 'worker-1', outcome: 'failed', error },
      { attempt: 2, worker: 'worker-2', outcome: 'failed', error: FAILURE },
    ]);
    expect(attemptLog[1]?.error).not.toHaveProperty('stack');
    expect(lastError).toEqual(FAILURE);
  },

  async 'is cancelled when its handler says so: no failure, and the reason is kept'(bench) {
    const ref = refOf(await bench.leased({ maxAttempts: 1 }));
    const error = { class: 'CancelJob', message: 'the order was withdrawn' };
    expect(await bench.fail(ref, 'cancel', error)).toBe('ok');
    const job = await bench.job(ref.id);
    expect(job).toMatchObject({ state: 'cancelled', cancelCause: 'handler', attempts: 1, acts: [] });
    expect(job.attemptLog).toMatchObject([{ attempt: 1, outcome: 'cancelled', endedAtMs: job.updatedAtMs, error }]);
    expect(job).not.toHaveProperty('lastError');
    expect(await bench.store.leases(10)).toEqual([]);
    expect(await bench.claim()).toEqual([]);
    for (const call of [bench.ack(ref), bench.fail(ref), bench.fail(ref, 'cancel'), bench.release(ref)]) {
      expect(await call).toBe('cancelled');
    }
    const [queue] = await bench.store.queues();
    expect(queue?.counts).toMatchObject({ cancelled: 1, dead: 0 });
    expect((await bench.store.metrics()).totals).toMatchObject({ failed: 0, dead: 0 });
  },

  async 'shows the first line of the last error while it waits, and no error before and after'(bench) {
    const job = await bench.leased();
    expect(await bench.job(job.id)).not.toHaveProperty('lastError');
    await bench.fail(job, 60_000, { class: 'E', message: 'one\ntwo' });
    expect((await bench.store.browse({}, { limit: 1 })).rows[0]?.lastError).toEqual({ class: 'E', message: 'one' });
    expect((await bench.store.queues())[0]).toMatchObject({ retrying: 1, counts: { scheduled: 1 } });
    const again = await bench.leased({ queue: 'other' });
    await bench.fail(again, 0);
    await bench.eventually(async () => expect(await bench.state(again.id)).toBe('ready'));
    expect(await bench.job(again.id)).not.toHaveProperty('lastError');
  },

  async 'cuts texts of an error that are too long, and refuses none'(bench) {
    const long = 'é'.repeat(20_000);
    const job = await bench.leased();
    expect(await bench.fail(job, 'dead', { class: long, message: long, ...{ stack: long } })).toBe('ok');
    const error = (await bench.job(job.id)).attemptLog[0]?.error;
    const limits = [
      [error?.class, STORE_LIMITS.errorClassBytesMax],
      [error?.message, STORE_LIMITS.errorMessageBytesMax],
      [error?.stack, STORE_LIMITS.errorStackBytesMax],
    ] as const;
    for (const [text, bytesMax] of limits) {
      expect(text).toBe('é'.repeat(Math.floor(bytesMax / 2)));
    }
  },
};
