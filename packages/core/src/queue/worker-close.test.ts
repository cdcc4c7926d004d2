import { JobAbortedError, StoreFailedError, WorkerClosedError } from '@holdfast/contract';
import { settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, expect, it } from 'vitest';
import { MemoryStore } from '../../test/queue/memory-store.js';
import type { Handler } from './handler.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';

let clock: VirtualClock;
let store: MemoryStore;
let queue: Queue;
let released: string[];

beforeEach(() => {
  clock = new VirtualClock();
  store = new MemoryStore(clock);
  queue = new Queue('mail', { store });
  released = [];
});

function startWorker(send: Handler): Worker {
  const worker = new Worker({
    store,
    queue: 'mail',
    handlers: { send },
    name: 'tester',
    clock,
    graceMs: 5000,
    leaseMs: 3000,
  });
  worker.on('released', ({ job }) => released.push(job.id));
  return worker.start();
}

/** When, on the virtual clock, the promise resolved; undefined while it has not. */
function endOf(promise: Promise<unknown>): { atMs: number | undefined } {
  const end: { atMs: number | undefined } = { atMs: undefined };
  void promise.then(() => {
    end.atMs = clock.monotonicMs();
  });
  return end;
}

it('ends at once when idle, and leaves no timer', async () => {
  const worker = startWorker(() => undefined);
  await settled();
  const end = endOf(worker.close());
  await settled();
  expect(end.atMs).toBe(0);
  expect(clock.timers).toBe(0);
});

it('ends at once before it started, in the same turn as it started, and again', async () => {
  const idle = new Worker({ store, queue: 'mail', handler: () => undefined, name: 'idle', clock });
  const [first, second] = [idle.close(), idle.close()];
  expect(first).toBe(second);
  await first;
  expect(() => idle.start()).toThrow(WorkerClosedError);
  const end = endOf(startWorker(() => undefined).close());
  await settled();
  expect(end.atMs).toBe(0);
  expect(clock.timers).toBe(0);
});

it('claims no more but lets the running job end, longer than its lease, and keeps its result', async () => {
  let finish = (_result: string) => {};
  const worker = startWorker(() => new Promise((resolve) => (finish = resolve)));
  await queue.enqueue('send', null);
  await settled();
  const end = endOf(worker.close());
  await queue.enqueue('send', 'later');
  await clock.advance(4500);
  expect(end.atMs).toBeUndefined();
  finish('sent');
  await settled();
  expect(end.atMs).toBe(4500);
  expect([store.stateOf(0), store.stateOf(1)]).toEqual(['completed', 'ready']);
  expect(clock.timers).toBe(0);
});

it('ends though every slot is taken by a handler that never ends', async () => {
  const worker = new Worker({
    store,
    queue: 'mail',
    handler: () => new Promise(() => {}),
    name: 'full',
    clock,
    concurrency: 1,
  });
  await queue.enqueueMany([
    { name: 'send', payload: 1 },
    { name: 'send', payload: 2 },
  ]);
  worker.start();
  await settled();
  const end = endOf(worker.close({ graceMs: 1000 }));
  await clock.advance(1500);
  expect(end.atMs).toBe(1500);
  expect([store.stateOf(0), store.stateOf(1)]).toEqual(['ready', 'ready']);
  expect(clock.timers).toBe(0);
});

it('fails a job that throws while the worker drains', async () => {
  let fail = (_error: Error) => {};
  const worker = startWorker(() => new Promise((_, reject) => (fail = reject)));
  await queue.enqueue('send', null);
  await settled();
  const closed = worker.close();
  fail(new Error('no route'));
  await closed;
  expect(store.jobs[0]).toMatchObject({ state: 'scheduled', attempts: 1 });
});

it('aborts the signal at grace and hands back a job that stops for it, uncounted', async () => {
  const reasons: unknown[] = [];
  const worker = startWorker(async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    reasons.push(signal.reason);
    signal.throwIfAborted();
  });
  await queue.enqueue('send', null);
  await settled();
  const end = endOf(worker.close());
  await clock.advance(4999);
  expect(reasons).toEqual([]);
  await clock.advance(1);
  expect(reasons).toEqual([expect.any(JobAbortedError)]);
  expect(reasons).toEqual([expect.objectContaining({ reason: 'shutdown' })]);
  expect(end.atMs).toBe(5000);
  expect(store.jobs[0]).toMatchObject({ state: 'ready', attempts: 0 });
  expect(released).toEqual(['memory-1']);
});

it('tells a handler one reason: a lease that is lost after the abort does not change it', async () => {
  let signal: AbortSignal | undefined;
  const worker = startWorker((_, context) => {
    signal = context.signal;
    return new Promise(() => {});
  });
  await queue.enqueue('send', null);
  await settled();
  const closed = worker.close({ graceMs: 1900 });
  await clock.advance(1950);
  store.endLeases();
  await clock.advance(550);
  await closed;
  expect(signal?.reason).toMatchObject({ reason: 'shutdown' });
  expect(released).toEqual([]);
});

it('keeps what a handler still finishes after the abort', async () => {
  const worker = startWorker(async (_, { signal }) => {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return 'half';
  });
  await queue.enqueue('send', null);
  await settled();
  const end = endOf(worker.close());
  await clock.advance(5000);
  expect(end.atMs).toBe(5000);
  expect(store.jobs[0]).toMatchObject({ state: 'completed', result: '"half"' });
});

it('hands back the job of a deaf handler, and ignores what that answers later', async () => {
  let finish = (_result: string) => {};
  const worker = startWorker(() => new Promise((resolve) => (finish = resolve)));
  await queue.enqueue('send', null);
  await settled();
  const end = endOf(worker.close());
  await clock.advance(5500);
  expect(end.atMs).toBe(5500);
  expect(store.jobs[0]).toMatchObject({ state: 'ready', attempts: 0 });
  finish('too late');
  await settled();
  expect(store.callsOf('ack')).toEqual([]);
  expect(clock.timers).toBe(0);
});

it('hands back jobs that a claim brings after the close', async () => {
  let answerClaim = () => {};
  store.disturb = (call) => (call === 'claim' ? new Promise((resolve) => (answerClaim = resolve)) : undefined);
  const claimDespiteAbort = store.claim.bind(store);
  store.claim = ({ signal: _, ...request }) => claimDespiteAbort(request);
  const worker = startWorker(() => 'must not run');
  await queue.enqueue('send', null);
  const end = endOf(worker.close());
  answerClaim();
  await settled();
  expect(end.atMs).toBe(0);
  expect(store.jobs[0]).toMatchObject({ state: 'ready', attempts: 0 });
  expect(released).toEqual(['memory-1']);
});

it.each(['claim', 'ack', 'release'] as const)('ends in bounded time though %s never answers', async (hung) => {
  const worker = startWorker(() => (hung === 'release' ? new Promise(() => {}) : 'done'));
  worker.on('error', () => {});
  await queue.enqueue('send', null);
  store.disturb = (call) => (call === hung ? new Promise(() => {}) : undefined);
  if (hung === 'claim') store.claim = () => new Promise(() => {});
  await settled();
  const end = endOf(worker.close());
  await clock.advance(60_000);
  expect(end.atMs).toBeLessThanOrEqual(7500);
  expect(clock.timers).toBe(0);
  // What is on its way to be completed is not handed back as well.
  expect(store.callsOf('release')).toEqual(hung === 'release' ? [1] : []);
});

it.each(['claim', 'ack'] as const)('gives up a %s that the store fails again and again', async (failing) => {
  const errors: unknown[] = [];
  const worker = startWorker(() => 'done');
  worker.on('error', ({ error }) => errors.push(error));
  await queue.enqueue('send', null);
  store.disturb = (call) => {
    if (call === failing) throw new StoreFailedError('unknown', 'The disk is gone.');
  };
  await clock.advance(950);
  const end = endOf(worker.close({ graceMs: 0 }));
  await clock.advance(500);
  expect(end.atMs).toBeLessThanOrEqual(1450);
  const calls = store.calls.length;
  expect(calls).toBeLessThan(12);
  await clock.advance(60_000);
  expect(store.calls).toHaveLength(calls);
  expect(clock.timers).toBe(0);
  const last = failing === 'ack' ? WorkerClosedError : StoreFailedError;
  expect(errors.at(-1)).toBeInstanceOf(last);
});

it('takes a shorter grace for once', async () => {
  const worker = startWorker(() => new Promise(() => {}));
  await queue.enqueue('send', null);
  await settled();
  const end = endOf(worker.close({ graceMs: 0 }));
  await clock.advance(500);
  expect(end.atMs).toBe(500);
  expect(store.jobs[0]).toMatchObject({ state: 'ready', attempts: 0 });
});

it('leaves no time limit of a handler that hears nothing, and lets its late end be', async () => {
  let finish = () => {};
  const worker = startWorker(() => new Promise<void>((resolve) => (finish = resolve)));
  await queue.enqueue('send', null, { timeoutMs: 6 * 3_600_000 });
  await settled();
  const end = endOf(worker.close({ graceMs: 0 }));
  await clock.advance(5000);
  expect(end.atMs).toBeLessThan(5000);
  expect(clock.timers).toBe(0);
  expect(released).toHaveLength(1);
  finish();
  await settled();
  expect((await store.queues())[0]?.counts).toMatchObject({ ready: 1, completed: 0 });
});
