import type { Dedupe, Enqueued, NewJob } from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect } from 'vitest';
import { type Bench, JOB, present } from '../bench.js';
import type { Rules } from '../rules.js';

type Conflict = NonNullable<Dedupe['onConflict']>;

async function add(bench: Bench, dedupe: Dedupe, job: Partial<NewJob> = {}): Promise<Enqueued> {
  return present((await bench.enqueue({ ...job, dedupe }))[0]);
}

async function jobCount({ store }: Bench): Promise<number> {
  return (await store.browse({}, { limit: 100 })).rows.length;
}

export const dedupeRules: Rules = {
  async 'answers created, and with a taken key which job takes it and in which state'(bench) {
    const first = await add(bench, { key: 'a' });
    expect(first).toEqual({ id: first.id, state: 'ready', outcome: 'created' });
    const duplicate = (state: string) => ({ id: first.id, state, outcome: 'duplicate' });
    expect(await add(bench, { key: 'a' }, { payload: 'other' })).toEqual(duplicate('ready'));
    const leased = await bench.claimOne();
    expect(leased.payload).toBe(JOB.payload);
    expect(await add(bench, { key: 'a' })).toEqual(duplicate('leased'));
    await bench.fail(leased);
    expect(await add(bench, { key: 'a' })).toEqual(duplicate('scheduled'));
    expect(await jobCount(bench)).toBe(1);
  },

  async 'a scheduled job takes its key'(bench) {
    const first = await add(bench, { key: 'a' }, { delayMs: 60_000 });
    expect(first).toMatchObject({ state: 'scheduled', outcome: 'created' });
    expect(await add(bench, { key: 'a' })).toEqual({ ...first, outcome: 'duplicate' });
  },

  async 'shows the key of a job, also when the job takes it no more'(bench) {
    const { id } = await add(bench, { key: 'a' });
    expect(await bench.job(id)).toMatchObject({ dedupeKey: 'a' });
    await bench.ack(await bench.claimOne());
    expect(await bench.job(id)).toMatchObject({ dedupeKey: 'a' });
    expect(await bench.job(await bench.add())).not.toHaveProperty('dedupeKey');
  },

  async 'a completed job takes no key'(bench) {
    const first = await add(bench, { key: 'a' });
    await bench.ack(await bench.claimOne());
    const second = await add(bench, { key: 'a' });
    expect(second.outcome).toBe('created');
    expect(second.id).not.toBe(first.id);
    expect((await add(bench, { key: 'a' })).id).toBe(second.id);
  },

  async 'a job that is dead, cancelled, expired or removed takes no key'(bench) {
    const by = { actor: 'olga' };
    await add(bench, { key: 'dead', forMs: 60_000 });
    await bench.fail(await bench.claimOne(), 'dead');
    const { id: cancelled } = await add(bench, { key: 'cancelled', forMs: 60_000 });
    await bench.store.cancel({ ids: [cancelled] }, by);
    const { id: removed } = await add(bench, { key: 'removed', forMs: 60_000 });
    await bench.store.remove({ ids: [removed] }, by);
    const { id: expired } = await add(bench, { key: 'expired', forMs: 60_000 }, { expiresInMs: 500 });
    await bench.eventually(async () => expect(await bench.state(expired)).toBe('cancelled'));
    for (const key of ['dead', 'cancelled', 'removed', 'expired']) {
      expect(await add(bench, { key })).toMatchObject({ outcome: 'created' });
    }
  },

  async 'a leased job that is cancelled takes no key'(bench) {
    const { id } = await add(bench, { key: 'a' });
    const leased = await bench.claimOne();
    await bench.store.cancel({ ids: [id] }, { actor: 'olga' });
    const second = await add(bench, { key: 'a' });
    expect(second.outcome).toBe('created');
    expect(await bench.ack(leased)).not.toBe('ok');
    expect(await add(bench, { key: 'a' })).toMatchObject({ id: second.id, outcome: 'duplicate' });
  },

  async 'a redriven job does not take its key again, and a clone has none'(bench) {
    const { id } = await add(bench, { key: 'a' });
    await bench.fail(await bench.claimOne(), 'dead');
    await bench.store.redrive({ ids: [id] }, { actor: 'olga' });
    const second = await add(bench, { key: 'a' });
    expect(second.outcome).toBe('created');
    const cloned = present(await bench.store.clone(second.id, { actor: 'olga' }));
    expect(cloned).toMatchObject({ state: 'ready', outcome: 'created' });
    await bench.store.cancel({ ids: [second.id] }, { actor: 'olga' });
    expect(await add(bench, { key: 'a' })).toMatchObject({ outcome: 'created' });
  },

  async 'keys of different queues, and keys that differ in anything, are different'(bench) {
    for (const key of ['a', 'A', 'a ', 'a\0', 'ä', 'a\u0308', 'k'.repeat(STORE_LIMITS.dedupeKeyBytesMax)]) {
      expect(await add(bench, { key })).toMatchObject({ outcome: 'created' });
      expect(await add(bench, { key }, { queue: 'files' })).toMatchObject({ outcome: 'created' });
    }
    expect(await add(bench, { key: 'a' }, { name: 'other' })).toMatchObject({ outcome: 'duplicate' });
  },

  async 'in one call the second of a key is a duplicate of the first'(bench) {
    const answers = await bench.enqueue(
      { dedupe: { key: 'a' } },
      {},
      { dedupe: { key: 'b' } },
      { dedupe: { key: 'a' } },
    );
    expect(answers.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created', 'duplicate']);
    expect(present(answers[3]).id).toBe(present(answers[0]).id);
    expect(await bench.claimedIds()).toEqual(answers.slice(0, 3).map(({ id }) => id));
  },

  async 'of calls at the same moment one creates the job'(bench) {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add(bench, { key: 'a' })));
    expect(answers.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(await jobCount(bench)).toBe(1);
  },

  async 'replace gives a job that waits another payload, time and options, under its id'(bench) {
    const first = await add(bench, { key: 'a' }, { payload: 'old', delayMs: 60_000, priority: 3, headers: { a: '1' } });
    const other = await bench.add({ payload: 'between' });
    await bench.time.advance(5);
    const dedupe = { key: 'a', onConflict: 'replace' as const };
    const second = await add(bench, dedupe, { payload: 'new', name: 'other', maxAttempts: 2 });
    expect(second).toEqual({ id: first.id, state: 'ready', outcome: 'replaced' });
    const job = await bench.job(first.id);
    expect(job).toMatchObject({
      payload: 'new',
      name: 'other',
      priority: 0,
      maxAttempts: 2,
      state: 'ready',
      attempts: 0,
    });
    expect(job).not.toHaveProperty('headers');
    expect(job.runAtMs).toBe(job.enqueuedAtMs);
    const claimed = await bench.claim();
    expect(claimed.map(({ id, payload }) => [id, payload])).toEqual([
      [other, 'between'],
      [first.id, 'new'],
    ]);
  },

  async 'replace may make a ready job wait'(bench) {
    const first = await add(bench, { key: 'a' });
    const second = await add(bench, { key: 'a', onConflict: 'replace' }, { delayMs: 60_000 });
    expect(second).toEqual({ id: first.id, state: 'scheduled', outcome: 'replaced' });
    expect(await bench.claim()).toEqual([]);
    const [summary] = await bench.store.queues();
    expect(summary?.counts).toMatchObject({ ready: 0, scheduled: 1 });
  },

  async 'a replaced job that failed begins anew'(bench) {
    const { id } = await add(bench, { key: 'a' }, { maxAttempts: 2 });
    await bench.fail(await bench.claimOne());
    const second = await add(bench, { key: 'a', onConflict: 'replace' }, { maxAttempts: 2, payload: 'new' });
    expect(second).toEqual({ id, state: 'ready', outcome: 'replaced' });
    expect(await bench.job(id)).toMatchObject({ attempts: 0, attemptLog: [], acts: [] });
    const [summary] = await bench.store.queues();
    expect(summary).toMatchObject({ retrying: 0, counts: { ready: 1, scheduled: 0 } });
    expect(await bench.claimOne()).toMatchObject({ id, attempt: 1, payload: 'new' });
  },

  async 'in one call replace gives the first job what the last one says'(bench) {
    const dedupe = { key: 'a', onConflict: 'replace' as const };
    const [first, second] = await bench.enqueue(
      { dedupe, payload: 'old' },
      { dedupe, payload: 'new', delayMs: 60_000 },
    );
    expect(first?.outcome).toBe('created');
    expect(second).toEqual({ id: first?.id, state: 'scheduled', outcome: 'replaced' });
    expect(await bench.job(present(first).id)).toMatchObject({ payload: 'new', state: 'scheduled' });
    expect(await bench.claim()).toEqual([]);
  },

  async 'replace leaves a job that runs alone'(bench) {
    const first = await add(bench, { key: 'a' });
    const leased = await bench.claimOne();
    const second = await add(bench, { key: 'a', onConflict: 'replace' }, { payload: 'new' });
    expect(second).toEqual({ id: first.id, state: 'leased', outcome: 'duplicate' });
    await bench.release(leased);
    expect(await bench.claimOne()).toMatchObject({ id: first.id, payload: JOB.payload });
  },

  async 'runOnceMore stores one more job while the first runs, and only one'(bench) {
    const dedupe = { key: 'a', onConflict: 'runOnceMore' as const };
    const first = await add(bench, dedupe);
    expect(await add(bench, dedupe)).toEqual({ ...first, outcome: 'duplicate' });
    const leased = await bench.claimOne();
    const second = await add(bench, dedupe);
    expect(second).toMatchObject({ state: 'ready', outcome: 'created' });
    expect(second.id).not.toBe(first.id);
    expect(await add(bench, dedupe)).toEqual({ ...second, outcome: 'duplicate' });
    expect(await add(bench, { key: 'a' })).toEqual({ ...second, outcome: 'duplicate' });
    await bench.ack(leased);
    expect(await add(bench, dedupe)).toEqual({ ...second, outcome: 'duplicate' });
    expect((await bench.claimOne()).id).toBe(second.id);
  },

  async 'a first job that runs takes the key though the second has completed'(bench) {
    const dedupe = { key: 'a', onConflict: 'runOnceMore' as const };
    const first = await add(bench, dedupe);
    await bench.claimOne();
    await add(bench, dedupe);
    await bench.ack(await bench.claimOne());
    expect(await add(bench, { key: 'a' })).toEqual({ id: first.id, state: 'leased', outcome: 'duplicate' });
  },

  async 'with a window a completed job takes its key until the window is over'(bench) {
    const { id } = await add(bench, { key: 'a', forMs: 5000 });
    await bench.ack(await bench.claimOne());
    for (const onConflict of ['keep', 'replace', 'runOnceMore'] satisfies Conflict[]) {
      expect(await add(bench, { key: 'a', onConflict })).toEqual({ id, state: 'completed', outcome: 'duplicate' });
    }
    await bench.time.advance(5000);
    expect(await add(bench, { key: 'a' })).toMatchObject({ outcome: 'created' });
  },

  async 'a job that is still live takes its key beyond the window'(bench) {
    const { id } = await add(bench, { key: 'a', forMs: 100 });
    await bench.time.advance(200);
    expect(await add(bench, { key: 'a' })).toMatchObject({ id, outcome: 'duplicate' });
    await bench.ack(await bench.claimOne());
    expect(await add(bench, { key: 'a' })).toMatchObject({ outcome: 'created' });
  },

  async 'the removal of a completed job ends its window'(bench) {
    const { id } = await add(bench, { key: 'a', forMs: 60_000 });
    await bench.ack(await bench.claimOne());
    await bench.store.remove({ ids: [id] }, { actor: 'olga' });
    expect(await add(bench, { key: 'a' })).toMatchObject({ outcome: 'created' });
  },

  async 'what a call does stands in the answer to its repetition'(bench) {
    const jobs = [{ ...JOB, dedupe: { key: 'a' } }, JOB, { ...JOB, dedupe: { key: 'a' }, payload: 'other' }];
    const first = await bench.store.enqueue(jobs, { requestId: 'one' });
    expect(first.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'duplicate']);
    await bench.claim();
    expect(await bench.store.enqueue(jobs, { requestId: 'one' })).toEqual(first);
    await bench.reopen('killed');
    expect(await bench.store.enqueue(jobs, { requestId: 'one' })).toEqual(first);
  },

  async 'keys and windows survive an end of the store'(bench) {
    const by = { actor: 'olga' };
    const live = await add(bench, { key: 'live' });
    await bench.store.reprioritise({ ids: [live.id] }, 9, by);
    const waits = await add(bench, { key: 'replaced' }, { payload: 'old', delayMs: 60_000 });
    await add(bench, { key: 'replaced', onConflict: 'replace' }, { payload: 'new', delayMs: 60_000 });
    const done = await add(bench, { key: 'done', forMs: 60_000 });
    await bench.ack(await bench.claimOne());
    await bench.reopen('killed');
    expect(await add(bench, { key: 'live' })).toEqual({ ...live, outcome: 'duplicate' });
    expect(await add(bench, { key: 'replaced' })).toEqual({ ...waits, outcome: 'duplicate' });
    expect(await bench.job(waits.id)).toMatchObject({ payload: 'new' });
    const state = await bench.state(done.id);
    expect(await add(bench, { key: 'done' })).toEqual({ id: done.id, state, outcome: 'duplicate' });
  },
};
