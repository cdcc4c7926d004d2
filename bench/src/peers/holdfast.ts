import { join } from 'node:path';
import { openLogStore, Queue, startWorker } from '@holdfast/core';
import type { Order } from '../order.js';
import type { Peer } from '../peer.js';

/** Most applications preset something, and what a preset costs each job counts. */
const DEFAULTS = { maxAttempts: 8, backoff: { kind: 'fixed', baseMs: 1000 } } as const;

/** As an application uses it: `Queue` and `Worker` over the log store. */
export async function openHoldfast(directory: string): Promise<Peer> {
  const store = await openLogStore({ directory: join(directory, 'log') });
  const queue = new Queue<Record<string, Order>>('orders', { store, defaults: DEFAULTS });
  return {
    // No promise beside that of the store: the others have none either.
    enqueue: (order) => queue.enqueue('place', order),
    enqueueMany: (orders) => queue.enqueueMany(orders.map((payload) => ({ name: 'place', payload }))),
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
