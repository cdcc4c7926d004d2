import { Queue } from '@holdfast/core';
import { type BenchCase, measure } from '../bench-case.js';
import { makeOrder, type Order } from '../order.js';

const IN_FLIGHT = 1000;

/** A thousand producers in one process, each waiting for its own job to be durable before it enqueues its next. */
export const concurrentEnqueue: BenchCase = {
  name: 'concurrent-enqueue',
  title: 'enqueue, 1,000 in flight',
  jobs: 200_000,
  run: (store, jobs) => {
    const queue = new Queue<Record<string, Order>>('orders', { store });
    return measure(store, jobs, async () => {
      let next = 0;
      const produce = async () => {
        while (next < jobs) await queue.enqueue('place', makeOrder(next++));
      };
      await Promise.all(Array.from({ length: IN_FLIGHT }, produce));
      return undefined;
    });
  },
};
