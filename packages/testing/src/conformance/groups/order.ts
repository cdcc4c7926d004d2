import { expect } from 'vitest';
import type { Bench } from '../bench.js';
import type { Rules } from '../rules.js';

/** Claims one at a time, so that every claim has to choose. */
async function oneByOne(bench: Bench, queues: readonly string[] = ['mail']): Promise<unknown[]> {
  const payloads: unknown[] = [];
  for (;;) {
    const [job] = await bench.claim({ queues, limit: 1 });
    if (job === undefined) return payloads;
    payloads.push(job.payload);
  }
}

export const orderRules: Rules = {
  async 'is that of enqueue'(bench) {
    await bench.enqueue({ payload: '1' }, { payload: '2' });
    await bench.enqueue({ payload: '3' });
    expect((await bench.claim()).map(({ payload }) => payload)).toEqual(['1', '2', '3']);
  },

  async 'is by priority number first'(bench) {
    await bench.enqueue({ payload: '3', priority: 4_294_967_295 }, { payload: '2', priority: 1 }, { payload: '1' });
    expect(await oneByOne(bench)).toEqual(['1', '2', '3']);
  },

  async 'is then by the time since when a job could have started'(bench) {
    await bench.enqueue({ payload: '3', delayMs: 800 }, { payload: '2', delayMs: 400 });
    await bench.enqueue({ payload: '1' });
    await bench.time.advance(1200);
    await bench.enqueue({ payload: '4' });
    await bench.eventually(async () => expect((await bench.store.queues())[0]?.counts.ready).toBe(4));
    expect(await oneByOne(bench)).toEqual(['1', '2', '3', '4']);
  },

  async 'holds over all queues of a claim'(bench) {
    await bench.enqueue({ queue: 'b', payload: '2' }, { queue: 'a', payload: '3' }, { queue: 'b', payload: '4' });
    await bench.enqueue(
      { queue: 'b', payload: '5', priority: 9 },
      { queue: 'a', payload: '1', priority: 0, runAtMs: 0 },
    );
    const payloads = (await bench.claim({ queues: ['a', 'b'] })).map(({ payload }) => payload);
    expect(payloads).toEqual(['2', '3', '4', '1', '5']);
  },

  async 'holds over all names of a claim'(bench) {
    await bench.enqueue({ name: 'y', payload: '1' }, { name: 'x', payload: '2' }, { name: 'y', payload: '3' });
    const payloads = (await bench.claim({ names: ['x', 'y'] })).map(({ payload }) => payload);
    expect(payloads).toEqual(['1', '2', '3']);
  },

  async 'keeps the place of a job that is tried again'(bench) {
    await bench.enqueue({ payload: '1' }, { payload: '2' }, { payload: '3' });
    await bench.fail(await bench.claimOne(), 300);
    await bench.time.advance(500);
    await bench.eventually(async () => expect((await bench.store.queues())[0]?.counts.ready).toBe(3));
    expect(await oneByOne(bench)).toEqual(['1', '2', '3']);
  },

  async 'keeps the place of a job that was handed back'(bench) {
    await bench.enqueue({ payload: '1' }, { payload: '2' });
    await bench.release(await bench.claimOne());
    expect(await oneByOne(bench)).toEqual(['1', '2']);
  },

  async 'puts a redriven job behind those that came meanwhile'(bench) {
    const id = await bench.dead({ payload: '2' });
    await bench.time.advance(bench.time.graceMs);
    await bench.add({ payload: '1' });
    await bench.time.advance(bench.time.graceMs);
    await bench.store.redrive({ ids: [id] }, { actor: 'olga' });
    expect(await oneByOne(bench)).toEqual(['1', '2']);
  },

  async 'is that of enqueue also when the wall clock was set back in between'(bench) {
    const { clock } = bench;
    await bench.add({ payload: '1' });
    clock.setWall(-60_000);
    await bench.add({ payload: '2' });
    expect(await oneByOne(bench)).toEqual(['1', '2']);
  },
};
