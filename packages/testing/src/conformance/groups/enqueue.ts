import { expect } from 'vitest';
import { JOB, present } from '../bench.js';
import type { Rules } from '../rules.js';

export const enqueueRules: Rules = {
  async 'answers an id and a state for each job, in input order'({ store }) {
    const answers = await store.enqueue([
      { ...JOB, payload: 'a' },
      { ...JOB, payload: 'b', delayMs: 60_000 },
      { ...JOB, payload: 'c' },
    ]);
    expect(answers.map(({ state }) => state)).toEqual(['ready', 'scheduled', 'ready']);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(3);
    const payloads = await Promise.all(answers.map(async ({ id }) => (await store.job(id))?.payload));
    expect(payloads).toEqual(['a', 'b', 'c']);
  },

  async 'answers nothing for no jobs'({ store }) {
    expect(await store.enqueue([])).toEqual([]);
    expect(await store.queues()).toEqual([]);
  },

  async 'fills in what a job does not say'(bench) {
    const [answer] = await bench.store.enqueue([{ queue: 'mail', name: 'send', payload: 'hello' }]);
    const job = await bench.job(present(answer).id);
    expect(job).toMatchObject({
      queue: 'mail',
      name: 'send',
      state: 'ready',
      priority: 0,
      attempts: 0,
      maxAttempts: 5,
    });
    expect(job).toMatchObject({ payload: 'hello', payloadBytes: 5, attemptLog: [], acts: [] });
    expect(job.runAtMs).toBe(job.enqueuedAtMs);
    expect(job.updatedAtMs).toBe(job.enqueuedAtMs);
    expect(job).not.toHaveProperty('result');
    expect(job).not.toHaveProperty('lease');
    expect(job).not.toHaveProperty('lastError');
  },

  async 'keeps what a job says'(bench) {
    const job = await bench.job(await bench.add({ priority: 7, maxAttempts: 3 }));
    expect(job).toMatchObject({ priority: 7, maxAttempts: 3 });
    expect(await bench.job(await bench.add({ maxAttempts: null }))).toMatchObject({ maxAttempts: null });
  },

  async 'schedules by delay and by wall-clock time, in whole milliseconds rounded up'(bench) {
    const first = await bench.job(await bench.add({ delayMs: 60_000.2 }));
    expect(first.state).toBe('scheduled');
    expect(first.runAtMs).toBe(first.enqueuedAtMs + 60_001);
    const runAtMs = first.enqueuedAtMs + 90_000;
    const [second] = await bench.enqueue({ runAtMs });
    expect(present(second).state).toBe('scheduled');
    expect((await bench.job(present(second).id)).runAtMs).toBe(runAtMs);
  },

  async 'takes a time that has passed for now'(bench) {
    const [answer] = await bench.enqueue({ runAtMs: 0 });
    expect(present(answer).state).toBe('ready');
    const job = await bench.job(present(answer).id);
    expect(job.runAtMs).toBe(job.enqueuedAtMs);
    expect((await bench.enqueue({ delayMs: 0 }))[0]?.state).toBe('ready');
  },

  async 'takes as many jobs in one call as it says'(bench) {
    const { enqueueJobsMax } = bench.store.capabilities;
    const answers = await bench.enqueue(...Array.from({ length: enqueueJobsMax }, () => ({})));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(enqueueJobsMax);
    const [queue] = await bench.store.queues();
    expect(queue?.counts.ready).toBe(enqueueJobsMax);
  },

  async 'never gives an id twice, however many call at once'(bench) {
    const answers = await Promise.all(Array.from({ length: 100 }, () => bench.enqueue({}, {})));
    expect(new Set(answers.flat().map(({ id }) => id)).size).toBe(200);
  },
};
