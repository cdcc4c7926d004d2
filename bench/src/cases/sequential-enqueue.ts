import { Queue } from '@holdfast/core';
import { type BenchCase, measure } from '../bench-case.js';
import { makeOrder, type Order } from '../order.js';

/** One producer that waits for each job to be durable before it enqueues the next. */
export const sequentialEnqueue: BenchCase = {
  name: 'sequential-enqueue',
  title: 'enqueue, one at a time',
  jobs: 10_000,
  run: (store, jobs) => {
    const queue = new Queue<Record<string, Order>>('orders', { store });
    return measure(store, jobs, async () => {
      const latenciesMs: number[] = [];
      for (let number = 0; number < jobs; number++) {
        const start = performance.now();
        await queue.enqueue('place', makeOrder(number));
        latenciesMs.push(performance.now() - start);
      }
      return latenciesMs;
    });
  },
};
