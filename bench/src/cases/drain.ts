import { Queue, startWorker } from '@holdfast/core';
import { type BenchCase, measure } from '../bench-case.js';
import { makeOrder, type Order } from '../order.js';

const PER_CALL = 1000;

/** A worker with a handler that does nothing claims and acks jobs that wait already, at most a hundred at a time. */
export const drain: BenchCase = {
  name: 'drain',
  title: 'claim + ack, no-op handler, concurrency 100',
  jobs: 50_000,
  run: async (store, jobs) => {
    const queue = new Queue<Record<string, Order>>('drained', { store });
    for (let first = 0; first < jobs; first += PER_CALL) {
      const count = Math.min(PER_CALL, jobs - first);
      await queue.enqueueMany(
        Array.from({ length: count }, (_, index) => ({ name: 'place', payload: makeOrder(first + index) })),
      );
    }
    return measure(store, jobs, async () => {
      let handled = 0;
      let finish = () => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const worker = startWorker({
        store,
        queue: 'drained',
        concurrency: 100,
        handler: async () => {
          if (++handled === jobs) finish();
        },
      });
      await finished;
      // Closing waits for the last acks: a job counts when the store has its end.
      await worker.close();
      return undefined;
    });
  },
};
