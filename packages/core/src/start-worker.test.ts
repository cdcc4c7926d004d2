import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { MemoryStore } from '../test/queue/memory-store.js';
import { Queue } from './queue/queue.js';
import { createWorker, startWorker } from './start-worker.js';
import { systemClock } from './system-clock.js';

it('names a worker after host, process and queues, within the limit', () => {
  const store = new MemoryStore(systemClock);
  const handler = () => undefined;
  expect(createWorker({ store, queue: ['mail', 'fax'], handler }).name).toBe(`${hostname()}:${process.pid}/mail+fax`);
  expect(Buffer.byteLength(createWorker({ store, queue: 'é'.repeat(50), handler }).name)).toBeLessThanOrEqual(100);
  expect(createWorker({ store, queue: 'mail', handler, name: 'mine' }).name).toBe('mine');
  // What an environment does not set.
  const unset: object = { name: undefined, clock: undefined };
  expect(createWorker({ store, queue: 'mail', handler, ...unset }).name).toBe(`${hostname()}:${process.pid}/mail`);
});

it('starts a worker on real time', async () => {
  const store = new MemoryStore(systemClock);
  const queue = new Queue('mail', { store });
  const worker = startWorker({ store, queue: 'mail', handlers: { send: (job) => job.payload } });
  const completed = new Promise<string>((resolve) => worker.on('completed', ({ job }) => resolve(job.id)));
  const { id } = await queue.enqueue('send', { to: 'ada' });
  expect(await completed).toBe(id);
  expect(await queue.job(id)).toMatchObject({ state: 'completed', result: { to: 'ada' } });
  await worker.close();
});
