import { expect } from 'vitest';
import { type Bench, refOf } from '../bench.js';
import type { Rules } from '../rules.js';

/** One of many who claim and ack until nothing is left. */
async function workThrough(bench: Bench, worker: string, taken: string[]): Promise<void> {
  for (;;) {
    const jobs = await bench.claim({ worker, limit: 7, leaseMs: 60_000 });
    if (jobs.length === 0) return;
    taken.push(...jobs.map(({ id }) => id));
    const answers = await bench.store.ack(jobs.map(refOf));
    expect(answers).toEqual(jobs.map(() => 'ok'));
  }
}

export const racingRules: Rules = {
  async 'hands each job to one of sixteen who claim at once'(bench) {
    const ids = (await bench.enqueue(...Array.from({ length: 500 }, () => ({})))).map(({ id }) => id);
    const taken: string[] = [];
    await Promise.all(Array.from({ length: 16 }, (_, worker) => workThrough(bench, `worker-${worker}`, taken)));
    expect(taken.toSorted()).toEqual(ids.toSorted());
    expect((await bench.store.metrics()).totals).toMatchObject({ claimed: 500, completed: 500, failed: 0 });
  },

  async 'gives each enqueued job to one of the claims that wait, while they come'(bench) {
    const claims = Array.from({ length: 8 }, (_, worker) =>
      bench.claim({ limit: 5, waitMs: 2000, leaseMs: 60_000, worker: `worker-${worker}` }),
    );
    const enqueued = await Promise.all(Array.from({ length: 20 }, () => bench.enqueue({}, {})));
    const rest = await bench.claim({ limit: 100, leaseMs: 60_000 });
    await bench.time.advance(2000);
    const taken = [...(await Promise.all(claims)).flat(), ...rest, ...(await bench.claim({ limit: 100 }))];
    const ids = taken.map(({ id }) => id).toSorted();
    expect(ids).toEqual(
      enqueued
        .flat()
        .map(({ id }) => id)
        .toSorted(),
    );
  },

  async 'lets one of all who settle a lease at once win'(bench) {
    for (let round = 0; round < 10; round++) {
      const job = await bench.leased();
      const answers = await Promise.all([bench.fail(job, 'dead'), bench.release(job, 60_000), bench.fail(job, 'dead')]);
      expect(answers.filter((answer) => answer === 'ok')).toHaveLength(1);
      expect(answers.filter((answer) => answer === 'stale')).toHaveLength(2);
      const { state, attemptLog } = await bench.job(job.id);
      expect(state).toBe(answers[1] === 'ok' ? 'scheduled' : 'dead');
      expect(attemptLog).toHaveLength(1);
    }
  },

  async 'completes a job once, and fails it not as well'(bench) {
    const job = await bench.leased();
    const [acked, failed, ackedAgain] = await Promise.all([bench.ack(job, 'a'), bench.fail(job), bench.ack(job, 'b')]);
    expect(acked).toBe(ackedAgain);
    expect([acked, failed].toSorted()).toEqual(['ok', 'stale']);
    const { attemptLog } = await bench.job(job.id);
    expect(attemptLog).toMatchObject([{ outcome: acked === 'ok' ? 'completed' : 'failed' }]);
  },

  async 'redrives a job once when two ask for it'(bench) {
    const ids: string[] = [];
    for (let count = 0; count < 5; count++) ids.push(await bench.dead());
    const outcomes = await Promise.all([
      bench.store.redrive({ ids }, { actor: 'olga' }),
      bench.store.redrive({ all: { state: 'dead' } }, { actor: 'piet' }),
      bench.store.redrive({ ids }, { actor: 'quentin' }),
    ]);
    expect(outcomes.reduce((sum, { done }) => sum + done, 0)).toBe(5);
    for (const id of ids) expect((await bench.job(id)).acts).toHaveLength(1);
  },

  async 'keeps its counts right under all of it'(bench) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        await bench.enqueue({}, { maxAttempts: 1 });
        const jobs = await bench.claim({ limit: 2, leaseMs: 60_000 });
        await Promise.all(jobs.map((job) => (index % 2 === 0 ? bench.ack(job) : bench.fail(job, 60_000))));
      }),
    );
    const { rows } = await bench.store.browse({}, { limit: 200 });
    const [queue] = await bench.store.queues();
    expect(rows).toHaveLength(40);
    for (const [state, count] of Object.entries(queue?.counts ?? {})) {
      expect([state, count]).toEqual([state, rows.filter((row) => row.state === state).length]);
    }
  },
};
