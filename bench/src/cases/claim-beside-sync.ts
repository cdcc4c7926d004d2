import { join } from 'node:path';
import { openLogStore, Queue, startWorker } from '@holdfast/core';
import type { BenchCase } from '../bench-case.js';
import { own } from '../goals.js';
import { waits } from '../measure.js';
import { makeOrder, type Order } from '../order.js';

/** While fsyncs of 5 ms follow each other without a gap, a worker asks for one waiting job after the other. */
export const claimBesideSync: BenchCase = {
  name: 'claim-beside-sync',
  title: 'claim → handler beside a stream of enqueues, each fsync 5 ms longer',
  peers: ['holdfast'],
  jobs: 3000,
  syncDelayMs: 5,
  goals: [{ title: 'fsync + 5 ms: claim → handler p50, ms', atMost: 1, figure: own('p50Ms') }],
  async run({ directory, jobs }) {
    const store = await openLogStore({ directory: join(directory, 'log') });
    const waiting = new Queue<Record<string, Order>>('waiting', { store });
    await waiting.enqueueMany(
      Array.from({ length: jobs }, (_, index) => ({ name: 'place', payload: makeOrder(index) })),
    );
    const stream = enqueueUntil(new Queue<Record<string, Order>>('stream', { store }));
    const latenciesMs: number[] = [];
    let askedAtMs = 0;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const worker = startWorker({
      store: {
        capabilities: store.capabilities,
        claim: (request) => {
          askedAtMs = performance.now();
          return store.claim(request);
        },
        ack: (items) => store.ack(items),
        fail: (items) => store.fail(items),
        release: (items) => store.release(items),
        extend: (items) => store.extend(items),
      },
      queue: 'waiting',
      concurrency: 1,
      handler: async () => {
        latenciesMs.push(performance.now() - askedAtMs);
        if (latenciesMs.length === jobs) finish();
      },
    });
    await finished;
    await stream.stop();
    await worker.close();
    await store.close();
    return waits(latenciesMs.slice(jobs / 10));
  },
};

/** Some producers, so that the next sync is always wanted before the last one has ended. */
function enqueueUntil(queue: Queue<Record<string, Order>>) {
  let stopped = false;
  const produce = async () => {
    for (let number = 0; !stopped; number++) await queue.enqueue('place', makeOrder(number));
  };
  const producers = Promise.all(Array.from({ length: 10 }, produce));
  return {
    stop: async () => {
      stopped = true;
      await producers;
    },
  };
}
