import { expect } from 'vitest';
import type { Rules } from '../rules.js';

export const jobExpiryRules: Rules = {
  async 'a job that nobody started in time is cancelled, by itself'(bench) {
    const id = await bench.add({ expiresInMs: 500.5 });
    const before = await bench.job(id);
    expect(before.expiresAtMs).toBe(before.enqueuedAtMs + 501);
    await bench.time.advance(501);
    await bench.eventually(async () => expect(await bench.state(id)).toBe('cancelled'));
    const job = await bench.job(id);
    expect(job).toMatchObject({ cancelCause: 'expired', attempts: 0, acts: [] });
    expect(job).not.toHaveProperty('expiresAtMs');
    expect(await bench.claim()).toEqual([]);
  },

  async 'a job is handed out until its time is over'(bench) {
    const id = await bench.add({ expiresInMs: 1000 });
    await bench.time.advance(1000 - bench.time.graceMs);
    expect((await bench.claimOne()).id).toBe(id);
  },

  async 'only the first start counts'(bench) {
    const job = await bench.leased({ expiresInMs: 500 });
    expect(await bench.job(job.id)).not.toHaveProperty('expiresAtMs');
    await bench.release(job, 600);
    await bench.time.advance(1000);
    await bench.eventually(async () => expect(await bench.state(job.id)).toBe('ready'));
    expect((await bench.claimOne()).id).toBe(job.id);
  },

  async 'a scheduled job may expire before it is due'(bench) {
    const { enqueuedAtMs } = await bench.job(await bench.add());
    const id = await bench.add({ runAtMs: enqueuedAtMs + 60_000, expiresInMs: 500 });
    await bench.time.advance(500);
    await bench.eventually(async () => expect(await bench.state(id)).toBe('cancelled'));
  },

  async 'a clone has no expiry'(bench) {
    const id = await bench.add({ expiresInMs: 60_000 });
    const cloned = await bench.store.clone(id, { actor: 'olga' });
    expect(await bench.job(cloned?.id ?? '')).not.toHaveProperty('expiresAtMs');
  },
};
