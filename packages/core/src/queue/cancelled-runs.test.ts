import { type MemoryStore, memoryStore, SeededRandom, settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { cancelledRunsOf } from './cancelled-runs.js';
import type { Handler, JobContext } from './handler.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';
import type { WorkerOptions } from './worker-options.js';

const BY = { actor: 'olga' };

let clock: VirtualClock;
let store: MemoryStore;
let queue: Queue;

beforeEach(() => {
  clock = new VirtualClock();
  store = memoryStore({ clock, random: new SeededRandom(1) });
  queue = new Queue('mail', { store });
});

function startWorker(handler: Handler, options: Partial<WorkerOptions> = {}): Worker {
  return new Worker({ store, queue: 'mail', name: 'tester', clock, graceMs: 0, handler, ...options }).start();
}

async function end(worker: Worker): Promise<void> {
  const closed = worker.close();
  await clock.advance(3000);
  await closed;
}

/** A job that runs and is cancelled, and how its handler is ended. */
async function cancelledJob(options: Partial<WorkerOptions> = {}) {
  const run: { context?: JobContext; resolve: (value?: unknown) => void; reject: (reason: unknown) => void } = {
    resolve: () => {},
    reject: () => {},
  };
  const worker = startWorker((_, context) => {
    run.context = context;
    return new Promise((resolve, reject) => Object.assign(run, { resolve, reject }));
  }, options);
  const { id } = await queue.enqueue('send', 1);
  await settled();
  await queue.cancel([id], BY);
  await settled();
  const known = () => cancelledRunsOf(store).of(id);
  return { run, worker, known };
}

describe('what became of the handler of a cancelled job', () => {
  it('is known while it goes on, and when it stops because of its signal', async () => {
    const heardAtMs = clock.now();
    const { run, worker, known } = await cancelledJob();
    await clock.advance(400);
    expect(known()).toEqual({ attempt: 1, heardAtMs });
    run.reject(run.context?.signal.reason);
    await settled();
    expect(known()).toEqual({ attempt: 1, heardAtMs, endedAtMs: heardAtMs + 400, ended: 'stopped' });
    await end(worker);
  });

  it('tells one that returns from one that throws something else', async () => {
    const returned = await cancelledJob();
    returned.run.resolve({ sent: true });
    await settled();
    expect(returned.known()).toMatchObject({ ended: 'returned' });
    expect(returned.known()).not.toHaveProperty('error');
    await end(returned.worker);
    const failed = await cancelledJob();
    failed.run.reject(new TypeError('no mailbox'));
    await settled();
    expect(failed.known()).toMatchObject({ ended: 'failed', error: { class: 'TypeError', message: 'no mailbox' } });
    await end(failed.worker);
  });

  it('is known also of one that its time limit has given up', async () => {
    const { run, worker, known } = await cancelledJob({ timeoutMs: 5000 });
    await clock.advance(6000);
    expect(known()).not.toHaveProperty('ended');
    run.resolve();
    await settled();
    expect(known()).toMatchObject({ ended: 'returned' });
    await end(worker);
  });

  it('is known also of one that cancels its own job before its first pause', async () => {
    const heardAtMs = clock.now();
    const worker = startWorker(({ id }) => {
      void queue.cancel([id], BY);
    });
    const { id } = await queue.enqueue('send', 1);
    await settled();
    const known = { attempt: 1, heardAtMs, endedAtMs: heardAtMs, ended: 'returned' };
    expect(cancelledRunsOf(store).of(id)).toEqual(known);
    await end(worker);
  });

  it('has no time of hearing where the handler had ended before its worker heard', async () => {
    Object.assign(store, { onLeasesCancelled: undefined });
    const { run, worker, known } = await cancelledJob();
    expect(known()).toBeUndefined();
    run.resolve();
    await settled();
    expect(known()).toEqual({ attempt: 1, endedAtMs: clock.now(), ended: 'returned' });
    await end(worker);
  });

  it('is nothing where no handler ran, or where it cancelled its job itself', async () => {
    const { id } = await queue.enqueue('send', 1, { delayMs: 1000 });
    await queue.cancel([id], BY);
    expect(cancelledRunsOf(store).of(id)).toBeUndefined();
  });

  it('is to be told by a worker that began before the attempt and is not closed', async () => {
    const knows = (startedAtMs: number, worker = 'tester') =>
      cancelledRunsOf(store).knows({ worker, startedAtMs, endedAtMs: startedAtMs + 500 });
    const beforeMs = clock.now();
    expect(knows(beforeMs)).toBe(false);
    await clock.advance(1000);
    const [first, second] = [startWorker(() => undefined), startWorker(() => undefined)];
    expect(knows(beforeMs)).toBe(false);
    expect(knows(clock.now())).toBe(true);
    expect(knows(clock.now(), 'elsewhere')).toBe(false);
    await end(first);
    expect(knows(clock.now())).toBe(true);
    await end(second);
    expect(knows(clock.now())).toBe(false);
  });

  it('is remembered of the last thousand that ended', async () => {
    const stops: Handler = (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const worker = startWorker(stops, { concurrency: 501 });
    const ids: string[] = [];
    for (let round = 0; round < 2; round++) {
      const jobs = Array.from({ length: 501 }, () => ({ name: 'send', payload: round }));
      const enqueued = (await queue.enqueueMany(jobs)).map(({ id }) => id);
      await settled();
      await store.cancel({ ids: enqueued }, BY);
      await settled();
      ids.push(...enqueued);
    }
    const known = ids.filter((id) => cancelledRunsOf(store).of(id)?.ended === 'stopped');
    expect(known).toEqual(ids.slice(2));
    // Nothing more will be told of those that were forgotten.
    const attempt = { worker: worker.name, startedAtMs: clock.now() };
    expect(cancelledRunsOf(store).knows({ ...attempt, endedAtMs: clock.now() })).toBe(false);
    expect(cancelledRunsOf(store).knows({ ...attempt, endedAtMs: clock.now() + 1 })).toBe(true);
    await end(worker);
  });
});
