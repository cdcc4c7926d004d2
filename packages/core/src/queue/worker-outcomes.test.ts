import { CancelJob, InvalidArgumentError, JobTimeoutError, RetryAfter, Snooze } from '@holdfast/contract';
import { settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../test/queue/memory-store.js';
import type { Handler, JobContext } from './handler.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';
import type { WorkerEvents } from './worker-events.js';
import type { WorkerOptions } from './worker-options.js';

const EVENTS = ['completed', 'failed', 'dead', 'cancelled', 'released', 'leaseLost', 'stale', 'runaway'] as const;

let clock: VirtualClock;
let store: MemoryStore;
let queue: Queue;
let told: [keyof WorkerEvents, unknown][];

beforeEach(() => {
  clock = new VirtualClock();
  store = new MemoryStore(clock);
  queue = new Queue('mail', { store });
  told = [];
});

function startWorker(handler: Handler, options: Partial<WorkerOptions> = {}): Worker {
  const worker = new Worker({ store, queue: 'mail', handler, name: 'tester', clock, ...options });
  for (const name of [...EVENTS, 'runawayEnded'] as const) {
    worker.on(name, ({ job: _, ...rest }) => told.push([name, rest]));
  }
  return worker.start();
}

/** Never ends by itself; `end` ends it. */
function deafHandler(): { handler: Handler; context?: JobContext; end: (result?: unknown) => void; starts: number } {
  const deaf: ReturnType<typeof deafHandler> = {
    starts: 0,
    end: () => {},
    handler: (_, context) => {
      deaf.starts++;
      deaf.context = context;
      return new Promise((resolve) => {
        deaf.end = resolve;
      });
    },
  };
  return deaf;
}

/** Ends when its signal is aborted, as `how` says. */
function listening(how: (reason: unknown) => unknown): Handler {
  return (_, { signal }) =>
    new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => {
        try {
          resolve(how(signal.reason));
        } catch (error) {
          reject(error);
        }
      });
    });
}

describe('a handler', () => {
  it('chooses when its job is tried again', async () => {
    startWorker(() => Promise.reject(new RetryAfter(7000, 'the bank is closed')));
    await queue.enqueue('send', null, { maxAttempts: 2 });
    await clock.advance(6999);
    expect(store.jobs[0]).toMatchObject({ state: 'scheduled', attempts: 1 });
    expect(store.jobs[0]?.errors[0]).toMatchObject({ class: 'RetryAfter', message: 'the bank is closed' });
    await clock.advance(1);
    expect(store.jobs[0]).toMatchObject({ state: 'dead', attempts: 2 });
    expect(told.map(([name]) => name)).toEqual(['failed', 'dead']);
  });

  it('snoozes, which counts no attempt', async () => {
    const attempts: number[] = [];
    startWorker((job) => {
      attempts.push(job.attempt);
      if (attempts.length < 3) throw new Snooze(500);
    });
    await queue.enqueue('send', null, { maxAttempts: 1 });
    await clock.advance(1000);
    expect(attempts).toEqual([1, 1, 1]);
    expect(store.jobs[0]?.state).toBe('completed');
    expect(told.slice(0, 2)).toEqual([
      ['released', { delayMs: 500 }],
      ['released', { delayMs: 500 }],
    ]);
  });

  it('cancels its own job, which is no failure', async () => {
    startWorker(() => {
      throw new CancelJob('the order was withdrawn');
    });
    await queue.enqueue('send', null);
    await settled();
    expect(store.jobs[0]?.state).toBe('cancelled');
    expect(store.jobs[0]?.errors[0]).toMatchObject({ class: 'CancelJob', message: 'the order was withdrawn' });
    expect(told).toEqual([['cancelled', { by: 'handler' }]]);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY, '120', null])(
    'fails like any other when it asks for a delay of %s',
    async (given) => {
      const delayMs = given as number; // What comes from a header has any type.
      startWorker(() => {
        throw new RetryAfter(delayMs);
      });
      await queue.enqueue('send', null);
      await settled();
      expect(store.jobs[0]?.errors[0]?.class).toBe(InvalidArgumentError.name);
      expect(() => new Snooze(delayMs)).toThrow(InvalidArgumentError);
    },
  );
});

describe('a time limit', () => {
  const LIMIT = { timeoutMs: 2000, concurrency: 1 };

  it('does not touch a handler that ends in time', async () => {
    startWorker(() => new Promise((resolve) => clock.setTimer(1999, () => resolve('done'))), LIMIT);
    await queue.enqueue('send', null);
    await clock.advance(5000);
    expect(store.jobs[0]).toMatchObject({ state: 'completed', result: '"done"' });
    expect(told.map(([name]) => name)).toEqual(['completed']);
  });

  it.each<[string, (reason: unknown) => unknown]>([
    ['rejects with the reason of its signal', (reason) => Promise.reject(reason)],
    ['rejects with an AbortError', () => Promise.reject(new DOMException('stopped', 'AbortError'))],
  ])('ends a handler that listens and %s as timed out', async (_, how) => {
    startWorker(listening(how), LIMIT);
    await queue.enqueue('send', null, { maxAttempts: 1 });
    await clock.advance(2000);
    expect(store.jobs[0]).toMatchObject({ state: 'dead', attempts: 1 });
    expect(store.jobs[0]?.errors[0]).toMatchObject({ class: JobTimeoutError.name });
    expect(told).toEqual([['dead', { durationMs: 2000, error: expect.any(JobTimeoutError) }]]);
  });

  it('keeps what a handler still finishes after the abort', async () => {
    startWorker(
      listening((reason) => (reason as { reason: string }).reason),
      LIMIT,
    );
    await queue.enqueue('send', null);
    await clock.advance(2000);
    expect(store.jobs[0]).toMatchObject({ state: 'completed', result: '"timeout"' });
  });

  it('gives the slot of a deaf handler to the next job, lists it, and keeps nothing that it answers', async () => {
    const deaf = deafHandler();
    const worker = startWorker(deaf.handler, LIMIT);
    await queue.enqueue('send', 1, { maxAttempts: 1 });
    await queue.enqueue('send', 2, { maxAttempts: 1 });
    await clock.advance(2000);
    const [first, endFirst] = [deaf.context, deaf.end];
    expect(first?.signal.reason).toMatchObject({ reason: 'timeout' });
    expect(worker.runaways()).toEqual([]);
    await clock.advance(500);
    expect(store.jobs[0]).toMatchObject({ state: 'dead' });
    expect(store.jobs[0]?.errors[0]).toMatchObject({ class: JobTimeoutError.name });
    expect(told.map(([name]) => name)).toEqual(['runaway', 'dead']);
    expect(deaf.starts).toBe(2);
    expect(worker.running).toBe(1);
    await clock.advance(100);
    expect(worker.runaways()).toMatchObject([{ job: { id: 'memory-1' }, timeoutMs: 2000, runningMs: 2600 }]);
    await expect(first?.extend()).rejects.toMatchObject({ reason: 'timeout' });
    endFirst('too late');
    await settled();
    expect(store.jobs[0]).toMatchObject({ state: 'dead' });
    expect(told.at(-1)).toEqual(['runawayEnded', { durationMs: 2600 }]);
    expect(worker.runaways()).toEqual([]);
    expect(store.callsOf('ack')).toEqual([]);
  });

  it('of a job stands before that of its worker', async () => {
    startWorker(
      listening((reason) => Promise.reject(reason)),
      LIMIT,
    );
    await queue.enqueue('send', null, { timeoutMs: 700, maxAttempts: 1 });
    await clock.advance(699);
    expect(store.stateOf(0)).toBe('leased');
    await clock.advance(1);
    expect(store.stateOf(0)).toBe('dead');
  });

  it('extends no lease of a runaway, and close does not wait for it', async () => {
    const deaf = deafHandler();
    const worker = startWorker(deaf.handler, { ...LIMIT, leaseMs: 900 });
    await queue.enqueue('send', null, { maxAttempts: 1 });
    await clock.advance(2500);
    const extensions = store.callsOf('extend').length;
    expect(extensions).toBeGreaterThan(3);
    await clock.advance(5000);
    expect(store.callsOf('extend')).toHaveLength(extensions);
    let closed = false;
    void worker.close().then(() => {
      closed = true;
    });
    await settled();
    expect(closed).toBe(true);
    expect(clock.timers).toBe(0);
    expect(worker.runaways()).toHaveLength(1);
  });

  it.each([0, 1.5, Number.NaN, -5])('of %d is refused', (timeoutMs) => {
    expect(() => startWorker(() => {}, { timeoutMs })).toThrow(InvalidArgumentError);
  });
});

describe('a job that is cancelled while it runs', () => {
  it('has its signal aborted with that reason at the next extension, and nothing of it is kept', async () => {
    const deaf = deafHandler();
    startWorker(deaf.handler, { leaseMs: 900 });
    await queue.enqueue('send', null);
    await settled();
    store.cancelAt(0);
    await clock.advance(300);
    expect(deaf.context?.signal.reason).toMatchObject({ reason: 'cancelled' });
    expect(told).toEqual([['cancelled', { by: 'operator' }]]);
    await expect(deaf.context?.extend()).rejects.toMatchObject({ reason: 'cancelled' });
    deaf.end('late');
    await settled();
    expect(store.callsOf('ack')).toEqual([]);
    expect(told).toHaveLength(1);
  });

  it('is told as cancelled when its handler ends before that is noticed', async () => {
    const deaf = deafHandler();
    startWorker(deaf.handler);
    await queue.enqueue('send', null);
    await settled();
    store.cancelAt(0);
    deaf.end('late');
    await settled();
    expect(store.jobs[0]?.state).toBe('cancelled');
    expect(told).toEqual([['cancelled', { by: 'operator' }]]);
  });
});

it.each([Number.NaN, -1, 'soon', 1n])('refuses to close with a grace of %s, and goes on', async (graceMs) => {
  const worker = startWorker(() => 'done');
  await expect(worker.close({ graceMs: graceMs as number })).rejects.toThrow(InvalidArgumentError);
  await queue.enqueue('send', null);
  await settled();
  expect(store.jobs[0]?.state).toBe('completed');
});
