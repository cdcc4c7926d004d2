import { expect } from 'vitest';
import type { Rules } from '../rules.js';

export const releasingRules: Rules = {
  async 'hands a job back at once and does not count the attempt'(bench) {
    const job = await bench.leased();
    expect(await bench.release(job)).toBe('ok');
    expect(await bench.job(job.id)).toMatchObject({ state: 'ready', attempts: 0 });
    const again = await bench.claimOne();
    expect(again).toMatchObject({ id: job.id, attempt: 1 });
    expect(again.token).not.toBe(job.token);
  },

  async 'never makes a job dead, also on its last attempt'(bench) {
    const job = await bench.leased({ maxAttempts: 1 });
    for (let round = 0; round < 3; round++) {
      const { id, token } = round === 0 ? job : await bench.claimOne();
      expect(await bench.release({ id, token })).toBe('ok');
    }
    expect(await bench.state(job.id)).toBe('ready');
  },

  async 'lets a job wait where it says so'(bench) {
    const job = await bench.leased();
    await bench.release(job, 1000.5);
    const { state, runAtMs, updatedAtMs } = await bench.job(job.id);
    expect([state, runAtMs - updatedAtMs]).toEqual(['scheduled', 1001]);
    expect((await bench.store.queues())[0]).toMatchObject({ retrying: 0, counts: { scheduled: 1 } });
    await bench.time.advance(1001 - 2 * bench.time.graceMs);
    expect(await bench.claim()).toEqual([]);
    await bench.time.advance(2 * bench.time.graceMs);
    await bench.eventually(async () => expect(await bench.claim()).toMatchObject([{ id: job.id, attempt: 1 }]));
  },

  async 'keeps the attempts that were counted before'(bench) {
    const first = await bench.leased();
    await bench.fail(first, 0);
    await bench.eventually(async () => expect(await bench.state(first.id)).toBe('ready'));
    await bench.release(await bench.claimOne());
    expect(await bench.job(first.id)).toMatchObject({ state: 'ready', attempts: 1 });
  },

  async 'stands in the history'(bench) {
    const job = await bench.leased({}, { worker: 'one' });
    await bench.release(job);
    await bench.claimOne({ worker: 'two' });
    expect((await bench.job(job.id)).attemptLog).toMatchObject([
      { attempt: 1, worker: 'one', outcome: 'released' },
      { attempt: 1, worker: 'two', outcome: 'running' },
    ]);
    expect((await bench.store.metrics()).totals).toMatchObject({ failed: 0, claimed: 2 });
  },
};
