import { HeldWorkers, memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createWorker, Queue } from '../../src/index.js';
import type { Handlers } from '../../src/queue/handler.js';

function start(handlers: Handlers<Record<string, string>>) {
  const clock = new VirtualClock();
  const workers = new HeldWorkers(clock);
  const store = memoryStore({ clock, random: new SeededRandom(1) });
  const mail = new Queue<Record<string, string>>('mail', { store });
  const worker = createWorker({ store: workers.hold(store), clock, queue: 'mail', handlers }).start();
  const close = () => workers.during(worker.close());
  onTestFinished(close);
  return { clock, workers, store, mail, close };
}

it('a held worker works during drain and advance, and not before, between or after', async () => {
  const done: string[] = [];
  const { workers, mail } = start({ send: ({ payload }) => void done.push(payload) });
  await mail.enqueue('send', 'a');
  await mail.enqueue('send', 'b', { delayMs: 10 });
  expect(done).toEqual([]);
  await workers.drain();
  expect(done).toEqual(['a']);
  await mail.enqueue('send', 'c');
  await workers.advance(9);
  expect(done).toEqual(['a', 'c']);
  await workers.advance(1);
  expect(done).toEqual(['a', 'c', 'b']);
  await mail.enqueue('send', 'd');
  expect(done).toEqual(['a', 'c', 'b']);
});

it('a test that drains while it drains waits for both', async () => {
  const done: string[] = [];
  const { workers, mail } = start({ send: ({ payload }) => void done.push(payload) });
  await mail.enqueue('send', 'a');
  await Promise.all([workers.drain(), workers.drain(), mail.enqueue('send', 'b')]);
  expect(done).toEqual(['a', 'b']);
});

it('a claim that asks without waiting is never held back', async () => {
  const { workers, store, mail, clock } = start({ other: () => undefined });
  const held = workers.hold(store);
  await mail.enqueue('send', 'a');
  const claim = { queues: ['mail'], limit: 1, leaseMs: 1000, worker: 'test' };
  const [job] = await held.claim(claim);
  expect(job).toMatchObject({ payload: '"a"' });
  expect(await store.leases(1)).toHaveLength(1);
  await clock.advance(1000);
  expect(await store.leases(1)).toEqual([]);
});

it('a worker that closes is given the time that it takes, though its handler never ends', async () => {
  const { clock, workers, mail, close } = start({ deaf: () => new Promise(() => {}) });
  const { id } = await mail.enqueue('deaf', 'a');
  await expect(workers.drain({ timeoutMs: 5 })).rejects.toThrow(`${id} (mail/deaf)`);
  await close();
  expect(clock.monotonicMs()).toBeGreaterThanOrEqual(10_000);
  expect(await mail.job(id)).toMatchObject({ state: 'ready', attempts: 0 });
});
