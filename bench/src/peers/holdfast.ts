import { join } from 'node:path';
import { openLogStore, Queue, startWorker } from '@holdfast/core';
import type { Order } from '../order.js';
import type { Peer } from '../peer.js';

/** As an application uses it: `Queue` and `Worker` over the log store. */
export async function openHoldfast(directory: string): Promise<Peer> {
  const store = await openLogStore({ directory: join(directory, 'log') });
  const queue = new Queue<Record<string, Order>>('orders', { store });
  return {
    async enqueue(order) {
      await queue.enqueue('place', order);
    },
    async enqueueMany(orders) {
      await queue.enqueueMany(orders.map((payload) => ({ name: 'place', payload })));
    },
    work: (concurrency, handler) =>
      startWorker<Record<string, Order>>({
        store,
        queue: 'orders',
        concurrency,
        handler: ({ payload }) => handler(payload as Order),
      }),
    close: () => store.close(),
  };
}
