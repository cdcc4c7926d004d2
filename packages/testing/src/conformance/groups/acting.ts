import type { ActOutcome, JobState, LeaseRef, Selection } from '@holdfast/contract';
import { expect } from 'vitest';
import { type Bench, present, refOf } from '../bench.js';
import type { Rules } from '../rules.js';

const BY = { actor: 'olga', reason: 'asked for' };

type Act = (bench: Bench, selection: Selection) => Promise<ActOutcome>;

/** Every act beside redrive, with the states in which it is refused. */
const acts: Readonly<Record<string, { readonly act: Act; readonly refused: readonly JobState[] }>> = {
  cancel: { act: ({ store }, jobs) => store.cancel(jobs, BY), refused: ['completed', 'dead', 'cancelled'] },
  remove: { act: ({ store }, jobs) => store.remove(jobs, BY), refused: ['leased'] },
  runNow: {
    act: ({ store }, jobs) => store.runNow(jobs, BY),
    refused: ['ready', 'leased', 'completed', 'dead', 'cancelled'],
  },
  reprioritise: {
    act: ({ store }, jobs) => store.reprioritise(jobs, 7, BY),
    refused: ['leased', 'completed', 'dead', 'cancelled'],
  },
};

const STATES = ['scheduled', 'ready', 'leased', 'completed', 'dead', 'cancelled'] as const;

/** One job in each state, in a queue of their own. */
async function oneOfEach(bench: Bench, queue: string): Promise<Record<JobState, string>> {
  const dead = await bench.dead({ queue });
  const done = await bench.leased({ queue });
  await bench.ack(done);
  const leased = await bench.leased({ queue }, { leaseMs: 60_000 });
  const cancelled = await bench.add({ queue });
  await bench.store.cancel({ ids: [cancelled] }, BY);
  const scheduled = await bench.add({ queue, delayMs: 60_000 });
  const ready = await bench.add({ queue });
  return { dead, completed: done.id, leased: leased.id, cancelled, scheduled, ready };
}

export const actingRules: Rules = {
  async 'does each act in the states that allow it, and counts the others under theirs'(bench) {
    for (const [name, { act, refused }] of Object.entries(acts)) {
      const jobs = await oneOfEach(bench, name);
      const before = new Map<string, string | undefined>();
      for (const state of refused) before.set(state, JSON.stringify((await bench.job(jobs[state])).acts));
      const outcome = await act(bench, { ids: [...STATES.map((state) => jobs[state]), 'unknown', jobs[STATES[0]]] });
      const skipped = Object.fromEntries(refused.map((state) => [state, 1]));
      const done = STATES.length - refused.length;
      expect(outcome, name).toEqual({ matched: 7, done, skipped: { ...skipped, missing: 1 } });
      for (const state of refused) {
        const { state: now, acts } = await bench.job(jobs[state]);
        expect([now, JSON.stringify(acts)], `${name} of a ${state} job`).toEqual([state, before.get(state)]);
      }
    }
  },

  async 'takes all jobs in one state, of a queue or a name if wanted'(bench) {
    const mail = await bench.add({ queue: 'mail', name: 'send' });
    const bounce = await bench.add({ queue: 'mail', name: 'bounce' });
    const print = await bench.add({ queue: 'print', name: 'send' });
    const later = await bench.add({ queue: 'mail', name: 'send', delayMs: 60_000 });
    const none = { matched: 0, done: 0, skipped: {} };
    expect(await bench.store.cancel({ all: { state: 'ready', queue: 'nobody' } }, BY)).toEqual(none);
    const one = { matched: 1, done: 1, skipped: {} };
    expect(await bench.store.cancel({ all: { state: 'ready', queue: 'mail', name: 'send' } }, BY)).toEqual(one);
    expect(await bench.store.cancel({ all: { state: 'ready', queue: 'mail' } }, BY)).toEqual(one);
    expect(await bench.store.cancel({ all: { state: 'ready' } }, BY)).toEqual(one);
    for (const id of [mail, bounce, print]) expect(await bench.state(id)).toBe('cancelled');
    expect(await bench.state(later)).toBe('scheduled');
    const refused = { matched: 3, done: 0, skipped: { cancelled: 3 } };
    expect(await bench.store.cancel({ all: { state: 'cancelled' } }, BY)).toEqual(refused);
  },

  async 'cancel: the job never runs, and shows who did it'(bench) {
    const id = await bench.add();
    await bench.store.cancel({ ids: [id] }, BY);
    const job = await bench.job(id);
    expect(job).toMatchObject({ state: 'cancelled', cancelCause: 'operator' });
    expect(job.acts).toEqual([{ act: 'cancel', atMs: job.updatedAtMs, ...BY }]);
    expect(await bench.claim()).toEqual([]);
    expect((await bench.store.queues())[0]?.counts).toMatchObject({ cancelled: 1, ready: 0 });
  },

  async 'cancel: the lease of a running job ends, and its token does nothing more'(bench) {
    const ref = refOf(await bench.leased());
    await bench.store.cancel({ ids: [ref.id] }, BY);
    expect(await bench.store.leases(10)).toEqual([]);
    expect(await bench.extend(ref, 1000)).toBe('cancelled');
    expect(await bench.ack(ref)).toBe('cancelled');
    expect(await bench.fail(ref)).toBe('cancelled');
    expect(await bench.release(ref)).toBe('cancelled');
    const job = await bench.job(ref.id);
    expect(job).toMatchObject({ state: 'cancelled', attempts: 1, attemptLog: [{ attempt: 1, outcome: 'cancelled' }] });
    expect(job.attemptLog[0]?.endedAtMs).toBe(job.updatedAtMs);
  },

  async 'remove: the store forgets the job'(bench) {
    const id = await bench.dead();
    await bench.store.remove({ ids: [id] }, BY);
    expect(await bench.store.job(id)).toBeUndefined();
    expect((await bench.store.browse({}, { limit: 10 })).total.value).toBe(0);
    expect((await bench.store.queues())[0]?.counts.dead).toBe(0);
    expect(await bench.store.remove({ ids: [id] }, BY)).toEqual({ matched: 1, done: 0, skipped: { missing: 1 } });
  },

  async 'remove: a repeated ack finds nothing any more'(bench) {
    const job = await bench.leased();
    await bench.ack(job);
    await bench.store.remove({ ids: [job.id] }, BY);
    expect(await bench.ack(job)).toBe('missing');
  },

  async 'runNow: a scheduled job is ready at once, also one that waits for a retry'(bench) {
    const later = await bench.add({ delayMs: 60_000 });
    const retrying = await bench.leased({ queue: 'print' });
    await bench.fail(retrying, 60_000);
    await bench.store.runNow({ ids: [later, retrying.id] }, BY);
    const job = await bench.job(later);
    expect(job).toMatchObject({ state: 'ready', runAtMs: job.updatedAtMs });
    expect(job.acts).toEqual([{ act: 'runNow', atMs: job.updatedAtMs, ...BY }]);
    expect(await bench.claimOne({ queues: ['print'] })).toMatchObject({ id: retrying.id, attempt: 2 });
    expect((await bench.claimOne()).id).toBe(later);
  },

  async 'runNow: wakes a claim that waits'(bench) {
    const id = await bench.add({ delayMs: 60_000 });
    const waiting = bench.claim({ waitMs: 10_000 });
    await bench.time.settle();
    await bench.store.runNow({ ids: [id] }, BY);
    expect(await waiting).toMatchObject([{ id }]);
  },

  async 'reprioritise: the job takes its place among those of its new number'(bench) {
    const [first, second, third] = await bench.enqueue({ priority: 5 }, { priority: 5 }, { priority: 5 });
    const { updatedAtMs } = await bench.job(present(third).id);
    await bench.store.reprioritise({ ids: [present(third).id] }, 1, BY);
    await bench.store.reprioritise({ ids: [present(first).id] }, 9, BY);
    const job = await bench.job(present(third).id);
    expect(job).toMatchObject({ state: 'ready', priority: 1, updatedAtMs });
    expect(job.acts).toEqual([{ act: 'reprioritise', atMs: expect.any(Number), ...BY, priority: 1 }]);
    const order = [third, second, first].map((answer) => present(answer).id);
    expect(await bench.claimedIds()).toEqual(order);
  },

  async 'clone: a new job like the other one, with all its attempts, that names where it comes from'(bench) {
    const id = await bench.dead({ payload: 'first', name: 'bounce', priority: 3, maxAttempts: 2 });
    const before = await bench.job(id);
    const cloned = present(await bench.store.clone(id, BY));
    expect(cloned.state).toBe('ready');
    const job = await bench.job(cloned.id);
    expect(job).toMatchObject({ name: 'bounce', priority: 3, maxAttempts: 2, attempts: 0, payload: 'first' });
    expect(job.clonedFrom).toBe(id);
    expect(job.acts).toEqual([{ act: 'clone', atMs: job.enqueuedAtMs, ...BY }]);
    expect(await bench.job(id)).toEqual(before);
    const other = present(await bench.store.clone(id, { actor: 'olga' }, { payload: Uint8Array.of(1) }));
    expect([...((await bench.job(other.id)).payload as Uint8Array)]).toEqual([1]);
    expect((await bench.claim()).map((one) => one.id)).toEqual([cloned.id, other.id]);
  },

  async 'clone: nothing of a job that the store does not know'(bench) {
    expect(await bench.store.clone('unknown', BY)).toBeUndefined();
    expect(await bench.store.queues()).toEqual([]);
  },

  async 'cancel tells those who listen which leases it ended, each once'(bench) {
    const told: LeaseRef[] = [];
    const stop = bench.onLeasesCancelled((leases) => told.push(...leases));
    await bench.enqueue({}, {}, {});
    const [one, two] = await bench.claim({ limit: 2 });
    await bench.store.cancel({ all: { state: 'ready' } }, BY);
    await bench.store.cancel({ ids: [present(one).id, present(two).id] }, BY);
    await bench.eventually(async () => expect(told).toHaveLength(2));
    expect(told).toEqual([one, two].map((job) => refOf(present(job))));
    const cancelling = await bench.leased();
    await bench.fail(cancelling, 'cancel');
    stop();
    const later = await bench.leased();
    await bench.store.cancel({ ids: [later.id] }, BY);
    expect(told).toHaveLength(2);
  },

  async 'one function that is given twice to hear of cancels is two listeners, and each leaves alone'(bench) {
    const told: LeaseRef[] = [];
    const listener = (leases: readonly LeaseRef[]) => void told.push(...leases);
    const stops = [bench.onLeasesCancelled(listener), bench.onLeasesCancelled(listener)];
    for (const [index, stop] of stops.entries()) {
      told.length = 0;
      const job = await bench.leased();
      await bench.store.cancel({ ids: [job.id] }, BY);
      await bench.eventually(async () => expect(told).toHaveLength(stops.length - index));
      stop();
    }
  },
};
