import { expect } from 'vitest';
import { type Bench, refOf } from '../bench.js';
import type { Rules } from '../rules.js';

const WAYS = ['closed', 'killed'] as const;

/** What may be read of all jobs; a lease may have ended. */
async function allJobs(bench: Bench) {
  const { rows } = await bench.store.browse({}, { limit: 200 });
  return Promise.all(rows.map(({ id }) => bench.job(id)));
}

export const reopeningRules: Rules = {
  async 'finds every job that was answered, as it was'(bench) {
    for (const way of WAYS) {
      await bench.dead({ queue: way, payload: 'a', priority: 3 });
      await bench.ack(await bench.leased({ queue: way, payload: 'b' }), 'result');
      await bench.fail(await bench.leased({ queue: way, payload: Uint8Array.of(0, 255) }), 60_000);
      await bench.release(await bench.leased({ queue: way, payload: 'd' }), 60_000);
      await bench.enqueue({ payload: 'e' }, { delayMs: 60_000 }, { name: 'bounce', maxAttempts: null });
      const before = await allJobs(bench);
      const queues = await bench.store.queues();
      await bench.reopen(way);
      expect(await allJobs(bench), way).toMatchObject(before.map(({ record: _, ...job }) => job));
      const counts = (list: typeof queues) => list.map(({ name, counts, retrying }) => ({ name, counts, retrying }));
      expect(counts(await bench.store.queues()), way).toEqual(counts(queues));
    }
  },

  async 'finds the acts of operators'(bench) {
    const id = await bench.dead();
    await bench.store.redrive({ ids: [id] }, { actor: 'olga', reason: 'why not' });
    const { acts, attemptLog } = await bench.job(id);
    await bench.reopen('killed');
    expect(await bench.job(id)).toMatchObject({ state: 'ready', attempts: 0, acts, attemptLog });
  },

  async 'finds cancelled jobs, clones, priorities and pauses, and no removed job'(bench) {
    const by = { actor: 'olga', reason: 'why not' };
    const [cancelled, moved, removed] = await bench.enqueue({}, {}, {});
    await bench.store.cancel({ ids: [cancelled?.id ?? ''] }, by);
    await bench.store.reprioritise({ ids: [moved?.id ?? ''] }, 7, by);
    await bench.store.remove({ ids: [removed?.id ?? ''] }, by);
    await bench.store.clone(moved?.id ?? '', by);
    const paused = await bench.store.pause('mail', by, { forMs: 600_000 });
    const before = await allJobs(bench);
    for (const way of WAYS) {
      await bench.reopen(way);
      expect(await allJobs(bench), way).toMatchObject(before.map(({ record: _, ...job }) => job));
      expect((await bench.store.queues())[0]?.paused, way).toEqual(paused);
      expect(await bench.claim(), way).toEqual([]);
    }
  },

  async 'keeps the order of jobs'(bench) {
    await bench.enqueue(
      { payload: '2' },
      { payload: '3' },
      { payload: '1', priority: 0 },
      { payload: '4', priority: 1 },
    );
    await bench.fail(await bench.claimOne(), 0);
    for (const way of WAYS) await bench.reopen(way);
    await bench.eventually(async () => expect((await bench.store.queues())[0]?.counts.ready).toBe(4));
    expect((await bench.claim()).map(({ payload }) => payload)).toEqual(['2', '3', '1', '4']);
  },

  async 'never gives an id or a token again, and tokens go on growing'(bench) {
    const ids = new Set<string>();
    const tokens: string[] = [];
    for (const way of [...WAYS, ...WAYS]) {
      for (let count = 0; count < 3; count++) {
        const job = await bench.leased();
        ids.add(job.id);
        tokens.push(job.token);
        await bench.ack(job);
      }
      await bench.reopen(way);
    }
    expect(ids.size).toBe(12);
    expect(new Set(tokens).size).toBe(12);
    expect(tokens.toSorted()).toEqual(tokens);
  },

  async 'gives a leased job to somebody else, and lets no old token do harm'(bench) {
    for (const way of WAYS) {
      const ref = refOf(await bench.leased({}, { leaseMs: 500 }));
      await bench.reopen(way);
      const answer = await bench.ack(ref);
      // Where leases outlive the process that holds them, the ack is good; then nobody else gets the job.
      if (answer === 'ok') {
        expect(await bench.state(ref.id)).toBe('completed');
        continue;
      }
      expect(answer).toBe('stale');
      await bench.time.advance(1500);
      await bench.eventually(async () => expect(await bench.state(ref.id)).toBe('ready'));
      const again = await bench.claimOne();
      expect(again.id).toBe(ref.id);
      expect(again.token > ref.token).toBe(true);
      expect(await bench.ack(ref)).toBe('stale');
      expect(await bench.ack(again)).toBe('ok');
    }
  },

  async 'counts the attempt of a job that was leased when its process was killed'(bench) {
    const { id } = await bench.leased({ maxAttempts: 2 }, { leaseMs: 500 });
    await bench.reopen('killed');
    await bench.time.advance(1500);
    await bench.eventually(async () => expect(await bench.state(id)).toBe('ready'));
    expect((await bench.claimOne({ leaseMs: 500 })).attempt).toBe(2);
    await bench.reopen('killed');
    await bench.time.advance(500);
    await bench.eventually(async () => expect(await bench.state(id)).toBe('dead'));
    const { attemptLog } = await bench.job(id);
    expect(attemptLog).toHaveLength(2);
    for (const { outcome } of attemptLog) expect(['processEnded', 'leaseExpired']).toContain(outcome);
  },

  async 'starts scheduled jobs that became due while it was closed'(bench) {
    const id = await bench.add({ delayMs: 500 });
    await bench.store.close();
    await bench.time.advance(1000);
    await bench.reopen('closed');
    await bench.eventually(async () => expect(await bench.claim()).toMatchObject([{ id }]));
  },

  async 'says how it found what it opened'(bench) {
    await bench.add();
    await bench.reopen('closed');
    expect((await bench.store.storage()).recovery.kind).toBe('clean');
    await bench.reopen('killed');
    expect((await bench.store.storage()).recovery.kind).toBe('unclean');
    expect(bench.store.health().status).toBe('open');
  },
};
