import { expect } from 'vitest';
import type { Rules } from '../rules.js';

const BY = { actor: 'olga' };

export const redrivingRules: Rules = {
  async 'makes a dead job ready with its attempts at 0, and notes who did it'(bench) {
    const id = await bench.dead({ maxAttempts: 2 });
    const outcome = await bench.store.redrive({ ids: [id] }, { actor: 'olga', reason: 'the printer is back' });
    expect(outcome).toEqual({ matched: 1, done: 1, skipped: {} });
    const job = await bench.job(id);
    expect(job).toMatchObject({ state: 'ready', attempts: 0, runAtMs: job.updatedAtMs });
    expect(job.acts).toEqual([{ act: 'redrive', atMs: job.updatedAtMs, actor: 'olga', reason: 'the printer is back' }]);
    expect(job).not.toHaveProperty('lastError');
  },

  async 'keeps the attempts of before in the history'(bench) {
    const id = await bench.dead();
    await bench.store.redrive({ ids: [id] }, BY);
    await bench.claimOne();
    const { attemptLog, acts } = await bench.job(id);
    expect(attemptLog).toMatchObject([
      { attempt: 1, outcome: 'failed' },
      { attempt: 1, outcome: 'running' },
    ]);
    expect(acts).toHaveLength(1);
    expect(acts[0]).not.toHaveProperty('reason');
  },

  async 'gives a job all of its attempts again'(bench) {
    const id = await bench.dead({ maxAttempts: 2 });
    await bench.store.redrive({ ids: [id] }, BY);
    for (const wanted of ['ready', 'dead']) {
      await bench.fail(await bench.claimOne(), 0);
      await bench.eventually(async () => expect(await bench.state(id)).toBe(wanted));
    }
  },

  async 'skips what is not dead, and counts it by its state'(bench) {
    const dead = await bench.dead();
    const completed = await bench.leased();
    await bench.ack(completed);
    const leased = await bench.leased();
    const ready = await bench.add();
    const scheduled = await bench.add({ delayMs: 60_000 });
    const ids = [ready, dead, 'unknown', leased.id, scheduled, completed.id, dead, 'zzzzz-1'];
    // A job that is named twice counts once.
    expect(await bench.store.redrive({ ids }, BY)).toEqual({
      matched: 7,
      done: 1,
      skipped: { ready: 1, missing: 2, leased: 1, scheduled: 1, completed: 1 },
    });
    expect(await bench.ack(leased)).toBe('ok');
    expect(await bench.state(scheduled)).toBe('scheduled');
    expect((await bench.job(completed.id)).acts).toEqual([]);
  },

  async 'takes all dead jobs of one queue, or of all'(bench) {
    const mail = [await bench.dead({ queue: 'mail' }), await bench.dead({ queue: 'mail' })];
    const print = await bench.dead({ queue: 'print' });
    const untouched = await bench.add({ queue: 'mail' });
    const none = { matched: 0, done: 0, skipped: {} };
    expect(await bench.store.redrive({ all: { state: 'dead', queue: 'nobody' } }, BY)).toEqual(none);
    expect(await bench.store.redrive({ all: { state: 'dead', queue: 'mail' } }, BY)).toEqual({
      matched: 2,
      done: 2,
      skipped: {},
    });
    expect(await bench.state(print)).toBe('dead');
    expect(await bench.store.redrive({ all: { state: 'dead' } }, BY)).toEqual({ matched: 1, done: 1, skipped: {} });
    expect(await bench.store.redrive({ all: { state: 'dead' } }, BY)).toEqual(none);
    for (const id of [...mail, print]) expect((await bench.job(id)).acts).toHaveLength(1);
    expect((await bench.job(untouched)).acts).toEqual([]);
  },

  async 'does nothing for no ids'(bench) {
    const id = await bench.dead();
    expect(await bench.store.redrive({ ids: [] }, BY)).toEqual({ matched: 0, done: 0, skipped: {} });
    expect(await bench.state(id)).toBe('dead');
  },
};
