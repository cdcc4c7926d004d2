import type { NewJob } from '@holdfast/contract';
import { expect } from 'vitest';
import type { Bench } from '../bench.js';
import type { Rules } from '../rules.js';

const BY = { actor: 'olga' };

/** A job that came to its end. @returns its id */
type End = (bench: Bench, job: Partial<NewJob>) => Promise<string>;

const ENDS: Readonly<Record<'completed' | 'cancelled' | 'dead', End>> = {
  async completed(bench, job) {
    const leased = await bench.leased(job);
    await bench.ack(leased);
    return leased.id;
  },
  async cancelled(bench, job) {
    const id = await bench.add(job);
    await bench.store.cancel({ ids: [id] }, BY);
    return id;
  },
  dead: (bench, job) => bench.dead(job),
};

const ALL = Object.entries(ENDS) as [keyof typeof ENDS, End][];

async function knownOf(bench: Bench, ids: readonly string[]): Promise<boolean[]> {
  const jobs = await Promise.all(ids.map((id) => bench.store.job(id)));
  return jobs.map((job) => job !== undefined);
}

export const retentionRules: Rules = {
  async 'keeps the last jobs that ended, of each state and queue so many'(bench) {
    bench.needsRetention();
    for (const [state, end] of ALL) {
      const ids: string[] = [];
      for (let count = 0; count < 4; count++) ids.push(await end(bench, { queue: 'keeps two' }));
      await bench.eventually(async () => expect(await knownOf(bench, ids), state).toEqual([false, false, true, true]));
    }
    const { counts } = (await bench.store.queues())[0] ?? {};
    expect(counts).toMatchObject({ completed: 2, cancelled: 2, dead: 2 });
    const other = await bench.dead();
    expect(await bench.state(other)).toBe('dead');
  },

  async 'says until when a job is kept, and forgets it then, by itself'(bench) {
    bench.needsRetention();
    const ids: string[] = [];
    for (const [state, end] of ALL) {
      const id = await end(bench, { queue: 'keeps a second' });
      const { keptUntilMs = 0, updatedAtMs } = await bench.job(id);
      expect(keptUntilMs - updatedAtMs, state).toBeGreaterThanOrEqual(1000);
      expect(keptUntilMs - updatedAtMs, state).toBeLessThanOrEqual(1010);
      ids.push(id);
    }
    await bench.time.advance(1000 - bench.time.graceMs * 2);
    expect(await knownOf(bench, ids)).toEqual([true, true, true]);
    await bench.eventually(async () => expect(await knownOf(bench, ids)).toEqual([false, false, false]));
  },

  async 'of a waiting job nobody says until when it is kept'(bench) {
    bench.needsRetention();
    const id = await bench.add({ queue: 'keeps a second' });
    expect(await bench.job(id)).not.toHaveProperty('keptUntilMs');
    await bench.time.advance(1500);
    expect(await bench.state(id)).toBe('ready');
    await bench.claim({ queues: ['keeps a second'] });
    expect(await bench.job(id)).not.toHaveProperty('keptUntilMs');
  },

  async 'keeps so many bytes of payloads and results'(bench) {
    bench.needsRetention();
    for (const [state, end] of ALL) {
      const ids: string[] = [];
      for (const payload of ['12345678', '123', '1234567']) {
        ids.push(await end(bench, { queue: 'keeps ten bytes', payload }));
      }
      await bench.eventually(async () => expect(await knownOf(bench, ids), state).toEqual([false, true, true]));
    }
    const job = await bench.leased({ queue: 'keeps ten bytes', payload: '' });
    await bench.ack(job, '12345678901');
    await bench.eventually(async () => expect(await bench.state(job.id)).toBeUndefined());
  },

  async 'a dead job that was redriven is not forgotten, and counts anew when it dies again'(bench) {
    bench.needsRetention();
    const queue = 'keeps a second';
    const id = await bench.dead({ queue });
    await bench.time.advance(500);
    await bench.store.redrive({ ids: [id] }, BY);
    await bench.time.advance(1500);
    expect(await bench.job(id)).not.toHaveProperty('keptUntilMs');
    await bench.fail(await bench.claimOne({ queues: [queue] }), 'dead');
    await bench.time.advance(1000 - bench.time.graceMs * 2);
    expect(await bench.state(id)).toBe('dead');
    await bench.eventually(async () => expect(await bench.state(id)).toBeUndefined());
  },

  async 'what was forgotten stays so, and what is due while nobody has the store open is forgotten then'(bench) {
    bench.needsRetention();
    for (const how of ['closed', 'killed'] as const) {
      const gone = await bench.dead({ queue: 'keeps a second' });
      await bench.eventually(async () => expect(await bench.state(gone)).toBeUndefined());
      const ids: string[] = [];
      for (const [, end] of ALL) ids.push(await end(bench, { queue: 'keeps a second' }));
      for (let count = 0; count < 3; count++) ids.push(await bench.dead({ queue: 'keeps two' }));
      if (how === 'closed') await bench.store.close();
      await bench.time.advance(1500);
      await bench.reopen(how);
      expect(await bench.state(gone), how).toBeUndefined();
      await bench.eventually(async () =>
        expect(await knownOf(bench, ids), how).toEqual([false, false, false, false, true, true]),
      );
    }
  },
};
