import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type LogStore, openLogStore, Queue, startWorker } from '@holdfast/core';
import type { BenchCase } from '../bench-case.js';
import { own } from '../goals.js';
import { waits } from '../measure.js';
import { makeOrder, type Order } from '../order.js';

const PER_CALL = 1000;
const SAMPLES_MAX = 40_000;
const SAMPLES_MIN = 500;
/** Where a compaction is over before there are enough samples, another one is made. */
const COMPACTIONS_MAX = 10;
const PER_LOOK = 20;

type Orders = Queue<Record<string, Order>>;

/** Two thirds of the jobs end, so that the segments of all of them are written anew, while single jobs go on being enqueued. */
export const compaction: BenchCase = {
  name: 'compaction',
  title: 'enqueue, one at a time, while segments are compacted',
  peers: ['holdfast'],
  jobs: 3_000_000,
  goals: [{ title: 'during compaction: p99 / p99 without', atMost: 2, figure: own('p99Ms', 'otherP99Ms') }],
  async run({ directory, jobs }) {
    const store = await openLogStore({ directory: join(directory, 'log') });
    const kept: Orders = new Queue('kept', { store });
    const done: Orders = new Queue('done', { store });
    const isCompacting = async () => (await store.storage()).compaction?.running === true;
    const during: number[] = [];
    for (let compaction = 0; during.length < SAMPLES_MIN; compaction++) {
      if (compaction === COMPACTIONS_MAX) throw new Error(`Only ${during.length} samples: take more jobs.`);
      await fill(kept, done, jobs);
      await drain(store, done);
      during.push(...(await sample(kept, SAMPLES_MAX, isCompacting)));
      while (await isCompacting()) await pause(100);
    }
    const without = waits(await sample(kept, during.length, async () => true));
    await store.close();
    return { ...waits(during), otherP50Ms: without.p50Ms, otherP99Ms: without.p99Ms };
  },
};

/** A third of the jobs is kept, in turn with those that will be done. */
async function fill(kept: Orders, done: Orders, jobs: number): Promise<void> {
  for (let number = 0; number < jobs; number += PER_CALL) {
    const batch = Array.from({ length: PER_CALL }, (_, index) => ({ name: 'p', payload: makeOrder(number + index) }));
    await (number % (3 * PER_CALL) === 0 ? kept : done).enqueueMany(batch);
  }
}

/** Looks again and again whether to go on; what was measured since the last look counts only then. */
async function sample(queue: Orders, count: number, goesOn: () => Promise<boolean>): Promise<number[]> {
  const latenciesMs: number[] = [];
  while (latenciesMs.length < count) {
    const some: number[] = [];
    for (let number = 0; number < PER_LOOK; number++) {
      const startMs = performance.now();
      await queue.enqueue('p', makeOrder(number));
      some.push(performance.now() - startMs);
    }
    if (!(await goesOn())) break;
    latenciesMs.push(...some);
  }
  return latenciesMs;
}

async function drain(store: LogStore, queue: Orders): Promise<void> {
  const worker = startWorker({ store, queue: queue.name, concurrency: 100, handler: async () => {} });
  for (let left = 1; left > 0; await pause(20)) {
    const { ready, leased } = await queue.counts();
    left = ready + leased;
  }
  await worker.close();
}
