import { Queue } from '@holdfast/core';
import { type BenchCase, measure } from '../bench-case.js';
import { makeOrder, type Order } from '../order.js';

const PER_CALL = 1000;

/** Calls of a thousand jobs each, one call after the other. */
export const bulkEnqueue: BenchCase = {
  name: 'bulk-enqueue',
  title: 'enqueueMany, 1,000 a call',
  jobs: 200_000,
  run: (store, jobs) => {
    const queue = new Queue<Record<string, Order>>('orders', { store });
    return measure(store, jobs, async () => {
      for (let first = 0; first < jobs; first += PER_CALL) {
        const count = Math.min(PER_CALL, jobs - first);
        await queue.enqueueMany(
          Array.from({ length: count }, (_, index) => ({ name: 'place', payload: makeOrder(first + index) })),
        );
      }
      return undefined;
    });
  },
};
