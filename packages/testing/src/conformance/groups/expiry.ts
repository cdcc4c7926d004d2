import { expect } from 'vitest';
import { type Bench, refOf } from '../bench.js';
import type { Rules } from '../rules.js';

const LEASE_MS = 500;

/** Lets the lease of a job run out without anybody asking for jobs. */
async function runOut(bench: Bench, id: string, leaseMs: number = LEASE_MS): Promise<void> {
  await bench.time.advance(leaseMs);
  await bench.eventually(async () => expect(await bench.state(id)).not.toBe('leased'));
}

export const expiryRules: Rules = {
  async 'leaves a lease alone until its time is over'(bench) {
    const job = await bench.leased({}, { leaseMs: 1000 });
    await bench.time.advance(1000 - bench.time.graceMs);
    expect(await bench.state(job.id)).toBe('leased');
    expect(await bench.store.leaseExpiries()).toEqual([]);
  },

  async 'ends a lease that nobody extends, by itself, and counts the attempt'(bench) {
    const { id } = await bench.leased({}, { leaseMs: LEASE_MS, worker: 'worker-7' });
    await runOut(bench, id);
    const job = await bench.job(id);
    expect(job).toMatchObject({ state: 'scheduled', attempts: 1, lastError: { class: 'LeaseExpired' } });
    expect(job.attemptLog).toMatchObject([
      { attempt: 1, worker: 'worker-7', outcome: 'leaseExpired', error: { class: 'LeaseExpired' } },
    ]);
    expect(job.lastError?.message).toContain('worker-7');
    expect(job).not.toHaveProperty('lease');
    // The backoff of the job holds, as for a failure.
    expect(job.runAtMs - job.updatedAtMs).toBe(1000);
    await bench.time.advance(1000);
    await bench.eventually(async () => expect(await bench.claim()).toMatchObject([{ id, attempt: 2 }]));
  },

  async 'makes the old token worthless'(bench) {
    const ref = refOf(await bench.leased({}, { leaseMs: LEASE_MS }));
    await runOut(bench, ref.id);
    expect(await bench.ack(ref)).toBe('stale');
    expect(await bench.fail(ref)).toBe('stale');
    expect(await bench.release(ref)).toBe('stale');
    expect(await bench.extend(ref, 1000)).toBe('stale');
    expect(await bench.job(ref.id)).toMatchObject({ attempts: 1, lastError: { class: 'LeaseExpired' } });
  },

  async 'makes a job dead after its last attempt'(bench) {
    const { id } = await bench.leased({ maxAttempts: 1 }, { leaseMs: LEASE_MS });
    await runOut(bench, id);
    expect(await bench.job(id)).toMatchObject({ state: 'dead', attempts: 1 });
    const [expiry] = await bench.store.leaseExpiries();
    expect([expiry?.id, expiry?.then]).toEqual([id, 'dead']);
  },

  async 'is told, the latest first'(bench) {
    const first = await bench.leased({ queue: 'a', name: 'x' }, { leaseMs: LEASE_MS, worker: 'one' });
    await runOut(bench, first.id);
    const second = await bench.leased({ queue: 'b', name: 'y' }, { leaseMs: LEASE_MS, worker: 'two' });
    await runOut(bench, second.id);
    const expiries = await bench.store.leaseExpiries();
    expect(expiries).toMatchObject([
      { id: second.id, queue: 'b', name: 'y', worker: 'two', attempt: 1 },
      { id: first.id, queue: 'a', name: 'x', worker: 'one', attempt: 1 },
    ]);
    for (const expiry of expiries) {
      expect(expiry.then).toBe('scheduled');
      expect(expiry.lateMs).toBeGreaterThanOrEqual(0);
    }
    expect((await bench.store.metrics()).totals).toMatchObject({ leaseExpiries: 2, failed: 2, dead: 0 });
  },

  async 'ends each of many leases at its own time'(bench) {
    const [short, long] = [await bench.leased({}, { leaseMs: 500 }), await bench.leased({}, { leaseMs: 60_000 })];
    await runOut(bench, short.id);
    expect(await bench.state(long.id)).toBe('leased');
    expect(await bench.ack(long)).toBe('ok');
  },

  async 'does not come for a lease that is extended in time'(bench) {
    const job = await bench.leased({}, { leaseMs: 2000 });
    for (let third = 0; third < 6; third++) {
      await bench.time.advance(600);
      expect(await bench.extend(job, 2000)).toBe('ok');
    }
    expect(await bench.store.leaseExpiries()).toEqual([]);
    expect(await bench.ack(job)).toBe('ok');
  },

  async 'is moved by no change of the wall clock'(bench) {
    const { clock } = bench;
    const job = await bench.leased({}, { leaseMs: 10_000 });
    clock.setWall(86_400_000);
    await bench.time.advance(5000);
    clock.setWall(-2 * 86_400_000);
    await bench.time.advance(4999);
    expect(await bench.state(job.id)).toBe('leased');
    await bench.time.advance(1);
    expect(await bench.state(job.id)).not.toBe('leased');
  },
};
