import { expect } from 'vitest';
import { present } from '../bench.js';
import type { Rules } from '../rules.js';

export const claimRules: Rules = {
  async 'hands out a job with all that its worker needs'(bench) {
    const id = await bench.add({ payload: 'hello', priority: 3, maxAttempts: 4 });
    const { enqueuedAtMs } = await bench.job(id);
    const [job, ...more] = await bench.claim({ leaseMs: 1500.5 });
    expect(more).toEqual([]);
    expect(job).toEqual({
      id,
      token: expect.any(String),
      queue: 'mail',
      name: 'send',
      payload: 'hello',
      priority: 3,
      attempt: 1,
      maxAttempts: 4,
      enqueuedAtMs,
      leaseMs: 1501,
    });
  },

  async 'counts the attempt when the job is leased, and shows who has it'(bench) {
    const id = await bench.add();
    const { token } = await bench.claimOne({ worker: 'worker-7' });
    const job = await bench.job(id);
    expect(job).toMatchObject({ state: 'leased', attempts: 1 });
    expect(job.lease).toMatchObject({ worker: 'worker-7', token, leaseMs: 2000, leasedAtMs: job.updatedAtMs });
    expect(job.attemptLog).toEqual([
      { attempt: 1, worker: 'worker-7', startedAtMs: job.updatedAtMs, outcome: 'running' },
    ]);
  },

  async 'hands out a job once'(bench) {
    await bench.add();
    expect(await bench.claim()).toHaveLength(1);
    expect(await bench.claim()).toEqual([]);
  },

  async 'hands out no more than asked'(bench) {
    await bench.enqueue({}, {}, {});
    expect(await bench.claim({ limit: 2 })).toHaveLength(2);
    expect(await bench.claim({ limit: 2 })).toHaveLength(1);
  },

  async 'hands out as many jobs in one call as it says'(bench) {
    const { claimJobsMax } = bench.store.capabilities;
    await bench.enqueue(...Array.from({ length: claimJobsMax + 1 }, () => ({})));
    const jobs = await bench.claim({ limit: claimJobsMax });
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(claimJobsMax);
  },

  async 'looks only into the queues that are named, and into each once'(bench) {
    const [mail, , video] = await bench.enqueue({ queue: 'mail' }, { queue: 'print' }, { queue: 'video' });
    const ids = await bench.claimedIds({ queues: ['mail', 'nobody', 'video', 'mail'] });
    expect(ids.sort()).toEqual([present(mail).id, present(video).id].sort());
    expect(await bench.claim({ queues: ['nobody'] })).toEqual([]);
  },

  async 'answers nothing at once when nothing is ready'(bench) {
    await bench.add({ delayMs: 60_000 });
    expect(await bench.claim()).toEqual([]);
    expect(await bench.claim({ waitMs: 0 })).toEqual([]);
  },

  async 'hands out a scheduled job when its time has come, not before'(bench) {
    const id = await bench.add({ delayMs: 1000 });
    await bench.time.advance(1000 - bench.time.graceMs);
    expect(await bench.claim()).toEqual([]);
    expect(await bench.state(id)).toBe('scheduled');
    await bench.time.advance(bench.time.graceMs);
    await bench.eventually(async () => expect(await bench.state(id)).toBe('ready'));
    const job = await bench.job(id);
    expect(job.updatedAtMs).toBe(job.runAtMs);
    expect((await bench.claimOne()).id).toBe(id);
  },

  async 'hands out only jobs of the names that are asked for'(bench) {
    const [send, bounce, prune] = await bench.enqueue({ name: 'send' }, { name: 'bounce' }, { name: 'prune' });
    expect(await bench.claim({ names: ['nothing'] })).toEqual([]);
    expect(await bench.claimedIds({ names: ['prune', 'nothing', 'send', 'prune'] })).toEqual([
      present(send).id,
      present(prune).id,
    ]);
    expect(await bench.claimedIds()).toEqual([present(bounce).id]);
  },
};
