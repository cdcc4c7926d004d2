import { type ActedBy, InvalidArgumentError, type Selection } from '@holdfast/contract';
import { expect } from 'vitest';
import { type Bench, JOB, refOf } from '../bench.js';
import type { Rules } from '../rules.js';

const BY = { actor: 'olga', reason: 'mail is slow today' };

function transfer(bench: Bench, selection: Selection, queue: string, by: ActedBy = BY) {
  const call = bench.store.transfer?.bind(bench.store) ?? bench.skip('moves no job to another queue');
  return call(selection, queue, by);
}

async function countsOf(bench: Bench, name: string) {
  return (await bench.store.queues()).find((queue) => queue.name === name)?.counts;
}

export const transferringRules: Rules = {
  async 'takes jobs that wait to a queue that need not be there, as they are, and shows who did it'(bench) {
    const ready = await bench.add({ payload: 'first', priority: 3, name: 'send' });
    const later = await bench.add({ delayMs: 60_000 });
    const before = await bench.job(ready);
    expect(await transfer(bench, { ids: [ready, later] }, 'bulk')).toEqual({ matched: 2, done: 2, skipped: {} });
    const job = await bench.job(ready);
    const act = { act: 'transfer', atMs: expect.any(Number), ...BY, fromQueue: 'mail', toQueue: 'bulk' };
    const { record: _before, ahead: _aheadBefore, ...rest } = before;
    expect(job).toMatchObject({ ...rest, queue: 'bulk', acts: [act] });
    expect(await bench.job(later)).toMatchObject({ queue: 'bulk', state: 'scheduled', acts: [act] });
    expect(await countsOf(bench, 'mail')).toMatchObject({ ready: 0, scheduled: 0 });
    expect(await countsOf(bench, 'bulk')).toMatchObject({ ready: 1, scheduled: 1 });
    expect(await bench.claim()).toEqual([]);
    expect(await bench.claim({ queues: ['bulk'] })).toMatchObject([{ id: ready, queue: 'bulk', payload: 'first' }]);
  },

  async 'leaves alone what is leased or over, and what is there already'(bench) {
    const leased = await bench.leased();
    const dead = await bench.dead();
    const there = await bench.add({ queue: 'bulk' });
    const outcome = await transfer(bench, { ids: [leased.id, dead, there, 'unknown'] }, 'bulk');
    expect(outcome).toEqual({ matched: 4, done: 0, skipped: { leased: 1, dead: 1, ready: 1, missing: 1 } });
    expect((await bench.job(there)).acts).toEqual([]);
    expect(await bench.ack(refOf(leased))).toBe('ok');
  },

  async 'takes all jobs in one state'(bench) {
    await bench.enqueue({}, {}, { delayMs: 60_000 });
    const outcome = await transfer(bench, { all: { state: 'ready', queue: 'mail' } }, 'bulk');
    expect(outcome).toEqual({ matched: 2, done: 2, skipped: {} });
    expect(await countsOf(bench, 'bulk')).toMatchObject({ ready: 2, scheduled: 0 });
    expect(await countsOf(bench, 'mail')).toMatchObject({ ready: 0, scheduled: 1 });
  },

  async 'keeps their place: by priority, then by age, among those that are there'(bench) {
    const old = await bench.add();
    await bench.time.advance(5);
    const there = await bench.add({ queue: 'bulk' });
    const first = await bench.add({ priority: 0 });
    await bench.store.reprioritise({ ids: [old, there] }, 4, BY);
    await transfer(bench, { ids: [first, old] }, 'bulk');
    expect((await bench.claim({ queues: ['bulk'] })).map(({ id }) => id)).toEqual([first, old, there]);
  },

  async 'wakes a claim that waits there'(bench) {
    const id = await bench.add();
    const waiting = bench.claim({ queues: ['bulk'], waitMs: 10_000 });
    await bench.time.settle();
    await transfer(bench, { ids: [id] }, 'bulk');
    expect(await waiting).toMatchObject([{ id, attempt: 1 }]);
  },

  async 'keeps the attempts of a job that waits for a retry'(bench) {
    const job = await bench.leased();
    await bench.fail(job, 60_000);
    const { attemptLog } = await bench.job(job.id);
    await transfer(bench, { ids: [job.id] }, 'bulk');
    expect(await bench.job(job.id)).toMatchObject({ queue: 'bulk', state: 'scheduled', attempts: 1, attemptLog });
    const summary = (await bench.store.queues()).map(({ name, retrying }) => [name, retrying]);
    expect(summary.sort()).toEqual([
      ['bulk', 1],
      ['mail', 0],
    ]);
  },

  async 'lets the pause of the queue count that the job is in'(bench) {
    const id = await bench.add();
    await bench.store.pause('mail', BY);
    await transfer(bench, { ids: [id] }, 'bulk');
    const claimed = await bench.claimOne({ queues: ['bulk'] });
    expect(claimed.id).toBe(id);
    await bench.release(refOf(claimed));
    await transfer(bench, { ids: [id] }, 'mail');
    expect(await bench.claim()).toEqual([]);
  },

  async 'gives up the key of a job, in both queues'(bench) {
    const enqueue = async (queue: string) =>
      (await bench.store.enqueue([{ ...JOB, queue, dedupe: { key: 'cart', forMs: 60_000 } }]))[0];
    const moved = await enqueue('mail');
    await transfer(bench, { ids: [moved?.id ?? ''] }, 'bulk');
    expect(await bench.job(moved?.id ?? '')).toMatchObject({ dedupeKey: 'cart' });
    const [inMail, inBulk] = [await enqueue('mail'), await enqueue('bulk')];
    expect([inMail?.outcome, inBulk?.outcome]).toEqual(['created', 'created']);
    expect(await enqueue('bulk')).toMatchObject({ id: inBulk?.id, outcome: 'duplicate' });
    await transfer(bench, { ids: [moved?.id ?? ''] }, 'mail');
    expect(await enqueue('mail')).toMatchObject({ id: inMail?.id, outcome: 'duplicate' });
  },

  async 'holds when the store is opened anew'(bench) {
    const [moved, back] = [await bench.add(), await bench.add()];
    await transfer(bench, { ids: [moved, back] }, 'bulk');
    await transfer(bench, { ids: [back] }, 'mail');
    const before = await bench.job(moved);
    const { record: _, ...rest } = before;
    await bench.reopen('killed');
    expect(await bench.job(moved)).toMatchObject(rest);
    expect(await bench.job(back)).toMatchObject({ queue: 'mail', acts: [{ toQueue: 'bulk' }, { toQueue: 'mail' }] });
    expect(await bench.claim({ queues: ['bulk'] })).toMatchObject([{ id: moved }]);
  },

  async 'refuses a queue that is none'(bench) {
    for (const queue of ['', 'q'.repeat(101)]) {
      const error = await transfer(bench, { ids: [] }, queue).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InvalidArgumentError);
    }
  },
};
