import { type MemoryStore, memoryStore, SeededRandom, settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobContext } from './handler.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';

const BY = { actor: 'olga' };

let clock: VirtualClock;
let store: MemoryStore;
let queue: Queue;
let contexts: JobContext[];
let told: unknown[];

beforeEach(() => {
  clock = new VirtualClock();
  store = memoryStore({ clock, random: new SeededRandom(1) });
  queue = new Queue('mail', { store });
  contexts = [];
  told = [];
});

function startWorker(): Worker {
  const worker = new Worker({
    ...{ store, queue: 'mail', name: 'tester', clock, graceMs: 0 },
    handler: (_, context) => {
      contexts.push(context);
      return new Promise((_resolve, reject) => {
        context.signal.addEventListener('abort', () => reject(context.signal.reason));
      });
    },
  });
  for (const name of ['cancelled', 'leaseLost', 'stale'] as const) {
    worker.on(name, ({ job }) => told.push([name, job.id]));
  }
  return worker.start();
}

async function end(worker: Worker): Promise<void> {
  const closed = worker.close();
  await clock.advance(1000);
  await closed;
}

describe('a cancel', () => {
  it('aborts the handlers of its jobs at once, and no others', async () => {
    const jobs = await queue.enqueueMany([1, 2, 3].map((payload) => ({ name: 'send', payload })));
    const worker = startWorker();
    const other = startWorker();
    await settled();
    await queue.cancel([jobs[0]!.id, jobs[2]!.id], BY);
    await settled();
    expect(contexts.map(({ signal }) => signal.reason?.reason)).toEqual(['cancelled', undefined, 'cancelled']);
    expect(told).toEqual([
      ['cancelled', jobs[0]!.id],
      ['cancelled', jobs[2]!.id],
    ]);
    expect(await queue.counts()).toMatchObject({ leased: 1, cancelled: 2 });
    await end(worker);
    await end(other);
    expect(told).toHaveLength(2);
  });

  it('is heard no more by a worker that is closed', async () => {
    const listening: number[] = [0];
    const listen = store.onLeasesCancelled.bind(store);
    store.onLeasesCancelled = (listener) => {
      listening[0]!++;
      const stop = listen(listener);
      return () => {
        listening[0]!--;
        stop();
      };
    };
    const worker = startWorker();
    worker.start();
    expect(listening).toEqual([1]);
    await end(worker);
    expect(listening).toEqual([0]);
  });

  it('is learned from the next extension where a store cannot tell', async () => {
    Object.assign(store, { onLeasesCancelled: undefined });
    const { id } = await queue.enqueue('send', 1);
    const worker = startWorker();
    await settled();
    await queue.cancel([id], BY);
    await clock.advance(9999);
    expect(contexts[0]?.signal.aborted).toBe(false);
    await clock.advance(1);
    expect(contexts[0]?.signal.reason).toMatchObject({ reason: 'cancelled' });
    await end(worker);
  });
});
