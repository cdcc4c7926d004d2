import { memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { beforeEach, expect, it } from 'vitest';
import { Queue } from './queue.js';

const BY = { actor: 'ada', reason: 'a bad night' };
const NONE = { matched: 0, done: 0, skipped: {} };
const ONE = { matched: 1, done: 1, skipped: {} };

let store: ReturnType<typeof memoryStore>;
let queue: Queue;
let ready: string;
let scheduled: string;
/** In another queue, where nothing may happen. */
let others: string[];

beforeEach(async () => {
  store = memoryStore({ clock: new VirtualClock(), random: new SeededRandom(7) });
  queue = new Queue('mail', { store });
  const other = new Queue('print', { store });
  ready = (await queue.enqueue('send', 1)).id;
  scheduled = (await queue.enqueue('send', 2, { delayMs: 60_000 })).id;
  const waiting = await other.enqueueMany([
    { name: 'send', payload: 3 },
    { name: 'send', payload: 4, delayMs: 60_000 },
  ]);
  others = waiting.map(({ id }) => id);
});

async function stateOf(id: string) {
  return (await store.job(id))?.state;
}

it('cancels by id, or all of its own that wait', async () => {
  expect(await queue.cancel([ready], BY)).toEqual(ONE);
  expect(await queue.cancel('allReady', BY)).toEqual(NONE);
  expect(await queue.cancel('allScheduled', BY)).toEqual(ONE);
  expect([await stateOf(ready), await stateOf(scheduled)]).toEqual(['cancelled', 'cancelled']);
  expect([await stateOf(others[0]!), await stateOf(others[1]!)]).toEqual(['ready', 'scheduled']);
  expect((await queue.job(ready))?.acts).toMatchObject([{ act: 'cancel', ...BY }]);
});

it('runs jobs now, and gives them another priority', async () => {
  expect(await queue.reprioritise('allScheduled', 7, BY)).toEqual(ONE);
  expect(await queue.reprioritise([ready], 9, BY)).toEqual(ONE);
  expect(await queue.transfer([ready], 'elsewhere', BY)).toEqual(ONE);
  expect((await store.job(ready))?.acts.at(-1)).toMatchObject({ fromQueue: queue.name, toQueue: 'elsewhere' });
  expect(await queue.transfer([ready], queue.name, BY)).toEqual(ONE);
  expect(await queue.runNow('allScheduled', BY)).toEqual(ONE);
  expect(await queue.job(scheduled)).toMatchObject({ state: 'ready', priority: 7 });
  expect(await queue.job(ready)).toMatchObject({ priority: 9 });
  expect(await stateOf(others[1]!)).toBe('scheduled');
});

it('forgets jobs by id, or all of its own that are dead', async () => {
  const [job] = await store.claim({ queues: ['mail'], limit: 1, leaseMs: 1000, worker: 'w' });
  const error = { class: 'E', message: 'm' };
  // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
  await store.fail([{ id: job!.id, token: job!.token, error, then: 'dead' }]);
  expect(await queue.remove('allDead', BY)).toEqual(ONE);
  expect(await queue.remove([scheduled], BY)).toEqual(ONE);
  expect([await queue.job(ready), await queue.job(scheduled)]).toEqual([undefined, undefined]);
});

it('is paused and resumed, alone', async () => {
  const claim = () => store.claim({ queues: ['mail', 'print'], limit: 9, leaseMs: 1000, worker: 'w' });
  expect(await queue.pause(BY, { forMs: 1000 })).toMatchObject({ ...BY, untilMs: expect.any(Number) });
  expect((await claim()).map(({ id }) => id)).toEqual([others[0]]);
  expect(await queue.resume(BY)).toBe(true);
  expect(await queue.resume(BY)).toBe(false);
  expect((await claim()).map(({ id }) => id)).toEqual([ready]);
});
