import { expect } from 'vitest';
import { present } from '../bench.js';
import type { Rules } from '../rules.js';

export const leaseRules: Rules = {
  async 'give tokens of which a later one is greater as text'(bench) {
    const tokens: string[] = [];
    for (let round = 0; round < 12; round++) {
      await bench.enqueue({}, {});
      for (const job of await bench.claim()) {
        tokens.push(job.token);
        await (round % 3 === 0 ? bench.release(job, 60_000) : bench.ack(job));
      }
    }
    expect(tokens).toHaveLength(24);
    expect(new Set(tokens).size).toBe(24);
    expect(tokens.toSorted()).toEqual(tokens);
  },

  async 'are listed with who holds them, those that end first at the head'(bench) {
    await bench.enqueue({ payload: 'a' }, { payload: 'b' }, { payload: 'c' });
    const [first] = await bench.claim({ limit: 1, leaseMs: 60_000, worker: 'slow' });
    const [second] = await bench.claim({ limit: 1, leaseMs: 10_000, worker: 'quick' });
    const [third] = await bench.claim({ limit: 1, leaseMs: 30_000, worker: 'usual' });
    const rows = await bench.store.leases(10);
    expect(rows.map(({ id }) => id)).toEqual([second, third, first].map((job) => present(job).id));
    expect(rows[0]).toMatchObject({ queue: 'mail', name: 'send', worker: 'quick', attempt: 1, maxAttempts: 5 });
    expect(rows[0]).toMatchObject({ token: second?.token, leaseMs: 10_000, extensions: 0 });
    expect(rows[0]?.leasedAtMs).toBe((await bench.job(present(second).id)).updatedAtMs);
    expect((await bench.store.leases(2)).map(({ worker }) => worker)).toEqual(['quick', 'usual']);
  },

  async 'count down to their end'(bench) {
    const { id } = await bench.leased({}, { leaseMs: 10_000 });
    await bench.time.advance(1000);
    const [row] = await bench.store.leases(1);
    expect(row?.remainingMs).toBeGreaterThan(9000 - 10 * bench.time.graceMs);
    expect(row?.remainingMs).toBeLessThanOrEqual(9000 + bench.time.graceMs);
    expect(Math.abs(((await bench.job(id)).lease?.remainingMs ?? 0) - 9000)).toBeLessThan(10 * bench.time.graceMs);
  },

  async 'leave the list when they end'(bench) {
    await bench.enqueue({}, {}, {}, {});
    const [one, two, three, four] = await bench.claim();
    await bench.ack(present(one));
    await bench.fail(present(two));
    await bench.release(present(three));
    expect((await bench.store.leases(10)).map(({ id }) => id)).toEqual([present(four).id]);
  },

  async 'last longer when they are extended, counted from then'(bench) {
    const job = await bench.leased({}, { leaseMs: 1000 });
    await bench.time.advance(1000 - 2 * bench.time.graceMs);
    expect(await bench.extend(job, 2000)).toBe('ok');
    await bench.time.advance(2000 - 2 * bench.time.graceMs);
    expect(await bench.ack(job)).toBe('ok');
  },

  async 'may be made shorter by an extension'(bench) {
    const job = await bench.leased({}, { leaseMs: 60_000 });
    expect(await bench.extend(job, 500)).toBe('ok');
    await bench.time.advance(500);
    await bench.eventually(async () => expect(await bench.state(job.id)).not.toBe('leased'));
    expect(await bench.ack(job)).toBe('stale');
  },

  async 'show how often they were extended'(bench) {
    const job = await bench.leased();
    await bench.extend(job, 5000);
    await bench.extend(job, 7000.5);
    expect(await bench.store.leases(1)).toMatchObject([{ id: job.id, extensions: 2, leaseMs: 7001 }]);
    const again = await bench.job(job.id);
    expect(again.lease).toMatchObject({ leaseMs: 7001, token: job.token });
    expect(again.attempts).toBe(1);
  },
};
