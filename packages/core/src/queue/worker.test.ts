import { InvalidArgumentError, StoreClosedError, StoreFailedError, UnrecoverableError } from '@holdfast/contract';
import { settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryStore } from '../../test/queue/memory-store.js';
import type { Handler } from './handler.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';
import type { WorkerEvents } from './worker-events.js';
import type { WorkerOptions } from './worker-options.js';

let clock: VirtualClock;
let store: MemoryStore;
let queue: Queue;
let told: [keyof WorkerEvents, string | undefined][];

beforeEach(() => {
  clock = new VirtualClock();
  store = new MemoryStore(clock);
  queue = new Queue('mail', { store });
  told = [];
});

function startWorker(handlers: Record<string, Handler>, options: Partial<WorkerOptions> = {}): Worker {
  const worker = new Worker({ store, queue: 'mail', handlers, name: 'tester', clock, ...options });
  const names: (keyof WorkerEvents)[] = ['completed', 'failed', 'dead', 'released', 'leaseLost', 'stale', 'error'];
  for (const name of names) worker.on(name, (event) => told.push([name, event.job?.id]));
  return worker.start();
}

/** A handler that waits until the test lets it end. */
class Gate {
  readonly entered: string[] = [];
  #open: (() => void)[] = [];

  readonly handler: Handler = (job) => {
    this.entered.push(job.id);
    return new Promise<void>((resolve) => this.#open.push(resolve));
  };

  open(count = this.#open.length): void {
    for (const open of this.#open.splice(0, count)) open();
  }
}

function enqueueMany(count: number, name = 'send'): Promise<unknown> {
  return queue.enqueueMany(Array.from({ length: count }, (_, index) => ({ name, payload: { index } })));
}

describe('a job', () => {
  it('is handed to its handler with payload and context, and completed with what that returns', async () => {
    const seen: unknown[] = [];
    startWorker({
      send: (job, context) => {
        seen.push(job, context.token, context.attempt, context.worker, context.signal.aborted);
        return { sent: true };
      },
    });
    const { id } = await queue.enqueue('send', { to: 'ada' }, { priority: 2 });
    await settled();
    const facts = { id, queue: 'mail', name: 'send', priority: 2, attempt: 1, maxAttempts: 5, enqueuedAtMs: 0 };
    expect(seen).toEqual([{ ...facts, payload: { to: 'ada' } }, '1.1', 1, 'tester', false]);
    expect(await queue.job(id)).toMatchObject({ state: 'completed', result: { sent: true } });
    expect(told).toEqual([['completed', id]]);
  });

  it('is tried again after an error, and dead after the last attempt', async () => {
    startWorker({ send: () => Promise.reject(new TypeError('no route')) });
    const backoff = { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' } as const;
    const { id } = await queue.enqueue('send', null, { maxAttempts: 3, backoff });
    await clock.advance(2000);
    expect(told).toEqual([
      ['failed', id],
      ['failed', id],
      ['dead', id],
    ]);
    expect(store.jobs[0]).toMatchObject({ state: 'dead', attempts: 3 });
    expect(store.jobs[0]?.errors[0]).toMatchObject({ class: 'TypeError', message: 'no route' });
  });

  it.each([
    ['says that no attempt can help', '{}', () => Promise.reject(new UnrecoverableError('gone'))],
    ['has a payload that cannot be read', 'not JSON', () => undefined],
  ])('is dead at once when it %s', async (_, payload, handler) => {
    startWorker({ send: handler });
    await store.enqueue([{ queue: 'mail', name: 'send', payload }]);
    await settled();
    expect(store.jobs[0]).toMatchObject({ state: 'dead', attempts: 1 });
    expect(told).toEqual([['dead', 'memory-1']]);
  });

  it.each([
    ['is not JSON', new Date()],
    ['is too big', 'x'.repeat(300_000)],
  ])('is completed without its result when that %s, and the worker says so', async (_, result) => {
    startWorker({ send: () => result });
    await queue.enqueue('send', null);
    await settled();
    expect(store.jobs[0]).toMatchObject({ state: 'completed' });
    expect(store.jobs[0]?.result).toBeUndefined();
    expect(told.map(([name]) => name)).toEqual(['error', 'completed']);
  });
});

describe('claiming', () => {
  it('fills the free slots in one call, and a slot that ends as soon as it ends', async () => {
    const gate = new Gate();
    const worker = startWorker({ send: gate.handler }, { concurrency: 3 });
    await enqueueMany(5);
    await settled();
    expect(gate.entered).toHaveLength(3);
    expect(worker.running).toBe(3);
    gate.open(1);
    await settled();
    expect(gate.entered).toHaveLength(4);
    gate.open();
    await settled();
    expect(gate.entered).toHaveLength(5);
    expect(store.callsOf('claim').slice(0, 3)).toEqual([3, 1, 3]);
  });

  it('settles in one call what ends together', async () => {
    const gate = new Gate();
    startWorker({ send: gate.handler }, { concurrency: 50 });
    await enqueueMany(50);
    await settled();
    gate.open();
    await settled();
    expect(store.callsOf('ack')).toEqual([50]);
  });

  it('settles meanwhile in the next call, one call at a time', async () => {
    let answerFirst = () => {};
    store.disturb = (call) =>
      call === 'ack' && store.callsOf('ack').length === 1
        ? new Promise((resolve) => (answerFirst = resolve))
        : undefined;
    const gate = new Gate();
    startWorker({ send: gate.handler }, { concurrency: 6 });
    await enqueueMany(6);
    await settled();
    gate.open(1);
    await settled();
    for (let count = 0; count < 5; count++) {
      gate.open(1);
      await settled();
    }
    expect(store.callsOf('ack')).toEqual([1]);
    answerFirst();
    await settled();
    expect(store.callsOf('ack')).toEqual([1, 5]);
  });

  it('stops while the store does not say whether it took the ends of as many jobs as there are slots', async () => {
    store.disturb = (call) => (call === 'ack' ? new Promise(() => {}) : undefined);
    let handled = 0;
    startWorker({ send: () => void handled++ }, { concurrency: 3 });
    await enqueueMany(20);
    await clock.advance(1000);
    expect(handled).toBe(6);
  });

  it('leaves jobs of other names to workers that know them', async () => {
    startWorker({ send: () => undefined });
    await queue.enqueue('fax', null);
    await queue.enqueue('send', null);
    await settled();
    expect([store.stateOf(0), store.stateOf(1)]).toEqual(['ready', 'completed']);
  });

  it('takes every name with a handler for all, but prefers the handler of the name', async () => {
    const seen: string[] = [];
    startWorker({ send: () => seen.push('by name') }, { handler: ({ name }: { name: string }) => seen.push(name) });
    await queue.enqueue('fax', null);
    await queue.enqueue('send', null);
    await settled();
    expect(seen).toEqual(['fax', 'by name']);
  });

  it('waits in the store when idle: one call in five minutes', async () => {
    startWorker({ send: () => undefined });
    await clock.advance(3_600_000);
    expect(store.callsOf('claim')).toHaveLength(13);
  });

  it('does not spin on a store that neither gives nor waits', async () => {
    store.claim = async ({ limit }) => {
      store.calls.push(['claim', limit]);
      return [];
    };
    startWorker({ send: () => undefined });
    await clock.advance(60_000);
    expect(store.callsOf('claim').length).toBeLessThan(25);
    expect(store.callsOf('claim').length).toBeGreaterThan(10);
  });
});

describe('a failing store', () => {
  it('is asked again, ever more slowly, until it is back', async () => {
    store.disturb = (call) => {
      if (call === 'claim' && clock.monotonicMs() < 60_000) throw new StoreFailedError('rejected', 'The disk is gone.');
    };
    startWorker({ send: () => undefined });
    await queue.enqueue('send', null);
    await clock.advance(59_000);
    const failed = told.filter(([name]) => name === 'error').length;
    expect(failed).toBeGreaterThan(10);
    expect(failed).toBeLessThan(20);
    await clock.advance(6_000);
    expect(store.stateOf(0)).toBe('completed');
  });

  it('ends the worker when it is closed, saying so once', async () => {
    store.disturb = (call) => {
      if (call === 'claim') throw new StoreClosedError();
    };
    startWorker({ send: () => undefined });
    await clock.advance(60_000);
    expect(told).toEqual([['error', undefined]]);
    expect(store.callsOf('claim')).toHaveLength(1);
  });

  it('is told again how a job ended once it is back', async () => {
    let failures = 2;
    store.disturb = (call) => {
      if (call === 'ack' && failures-- > 0) throw new StoreFailedError('unknown', 'The engine ended.');
    };
    startWorker({ send: () => 'done' });
    await enqueueMany(3);
    await clock.advance(400);
    expect(store.callsOf('ack')).toEqual([3, 3, 3]);
    expect(store.jobs.map(({ state }) => state)).toEqual(['completed', 'completed', 'completed']);
    expect(told.map(([name]) => name)).toEqual(['error', 'error', 'completed', 'completed', 'completed']);
  });

  it('that refuses an end is not asked again: the worker says so and goes on', async () => {
    store.disturb = (call) => {
      if (call === 'ack' && store.callsOf('ack').length === 1) throw new InvalidArgumentError('token', 'x', 'a token');
    };
    startWorker({ send: () => undefined }, { concurrency: 1 });
    await queue.enqueue('send', null);
    await clock.advance(1000);
    await queue.enqueue('send', null);
    await clock.advance(1000);
    expect(store.callsOf('ack')).toEqual([1, 1]);
    expect(told).toEqual([
      ['error', 'memory-1'],
      ['completed', 'memory-2'],
    ]);
  });

  it('that lost the leases answers stale, which is told and not repeated', async () => {
    let failures = 1;
    store.disturb = (call) => {
      if (call !== 'ack' || failures-- <= 0) return;
      store.endLeases();
      throw new StoreFailedError('unknown', 'The engine ended.');
    };
    const gate = new Gate();
    startWorker({ send: gate.handler }, { concurrency: 1 });
    await queue.enqueue('send', null);
    await settled();
    gate.open();
    await clock.advance(150);
    expect(told).toContainEqual(['stale', 'memory-1']);
    expect(gate.entered).toEqual(['memory-1', 'memory-1']);
  });
});

describe('leases', () => {
  it('are extended in one call every third, however long the handler takes', async () => {
    const gate = new Gate();
    startWorker({ send: gate.handler }, { leaseMs: 3000 });
    await enqueueMany(4);
    await clock.advance(30_000);
    expect(store.callsOf('extend')).toEqual(Array(30).fill(4));
    gate.open();
    await settled();
    expect(told.map(([name]) => name)).toEqual(Array(4).fill('completed'));
  });

  it('are not extended once the handler is done, and an idle worker has no timer of its own', async () => {
    store.claim = (
      (claim) => (request) =>
        claim({ ...request, waitMs: 0 })
    )(store.claim.bind(store));
    const worker = startWorker({ send: () => undefined }, { leaseMs: 3000 });
    await queue.enqueue('send', null);
    await clock.advance(30_000);
    expect(store.stateOf(0)).toBe('completed');
    expect(store.callsOf('extend')).toEqual([]);
    await worker.close();
    expect(clock.timers).toBe(0);
  });

  it('are extended by one call at a time, though it hangs', async () => {
    store.disturb = (call) => (call === 'extend' ? new Promise(() => {}) : undefined);
    startWorker({ send: new Gate().handler }, { leaseMs: 3000 });
    await queue.enqueue('send', null);
    await clock.advance(30_000);
    expect(store.callsOf('extend')).toEqual([1]);
  });

  it.each([
    { order: 'before', endsAtMs: 610_000 },
    { order: 'after', endsAtMs: 600_000 },
  ])(
    'are as long as a handler asked, though a call for all that began $order its own is written last',
    async ({ order, endsAtMs }) => {
      const answers: (() => void)[] = [];
      store.disturb = (call) => (call === 'extend' ? new Promise<void>((resolve) => answers.push(resolve)) : undefined);
      let ask = () => {};
      const asking = new Promise<void>((resolve) => (ask = resolve));
      const send: Handler = async (_, { extend }) => {
        await asking;
        await extend(600_000);
        await new Promise(() => {});
      };
      startWorker({ send }, { leaseMs: 30_000 });
      await queue.enqueue('send', null);
      if (order === 'after') ask();
      await clock.advance(10_000);
      ask();
      await settled();
      while (answers.length > 0) {
        (order === 'after' ? answers.shift() : answers.pop())?.();
        await settled();
      }
      expect(store.jobs[0]?.leaseEndsAtMs).toBe(endsAtMs);
    },
  );

  it('are as long as a handler asked, though the store is so slow that one extension of all follows the other', async () => {
    store.disturb = (call) =>
      call === 'extend' ? new Promise<void>((resolve) => clock.setTimer(1500, resolve)) : undefined;
    let ask = () => {};
    const asking = new Promise<void>((resolve) => (ask = resolve));
    let hasIt = false;
    const send: Handler = async (_, { extend }) => {
      await asking;
      await extend(60_000);
      hasIt = true;
      await new Promise(() => {});
    };
    startWorker({ send }, { leaseMs: 3000 });
    await queue.enqueue('send', null);
    await clock.advance(2000);
    ask();
    await clock.advance(3000);
    expect(hasIt).toBe(true);
    await clock.advance(5000);
    expect(store.jobs[0]?.leaseEndsAtMs).toBeGreaterThanOrEqual(62_000);
  });

  it.each([
    { asks: [1000], endsAtMs: 3000 },
    { asks: [60_000, 2000, undefined], endsAtMs: 60_000 },
  ])('are not made shorter by a handler that asks for $asks ms', async ({ asks, endsAtMs }) => {
    const send: Handler = async (_, { extend }) => {
      for (const leaseMs of asks) await extend(leaseMs);
      await new Promise(() => {});
    };
    startWorker({ send }, { leaseMs: 3000 });
    await queue.enqueue('send', null);
    await settled();
    expect(store.callsOf('extend')).toHaveLength(asks.length);
    expect(store.jobs[0]?.leaseEndsAtMs).toBe(endsAtMs);
  });

  it('are extended again at once where the time for it came during an extension', async () => {
    let answer = () => {};
    store.disturb = (call) => (call === 'extend' ? new Promise<void>((resolve) => (answer = resolve)) : undefined);
    startWorker({ send: new Gate().handler }, { leaseMs: 3000 });
    await queue.enqueue('send', null);
    await clock.advance(2500);
    expect(store.callsOf('extend')).toEqual([1]);
    answer();
    await settled();
    expect(store.callsOf('extend')).toEqual([1, 1]);
    answer();
    await settled();
    expect(store.callsOf('extend')).toEqual([1, 1]);
  });

  it('survive a call that fails', async () => {
    const gate = new Gate();
    store.disturb = (call) => {
      if (call === 'extend' && store.callsOf('extend').length % 2 === 1) throw new StoreFailedError('unknown', 'Gone.');
    };
    startWorker({ send: gate.handler }, { leaseMs: 3000 });
    await queue.enqueue('send', null);
    await clock.advance(30_000);
    gate.open();
    await settled();
    expect(store.stateOf(0)).toBe('completed');
    expect(told.filter(([name]) => name === 'error')).toHaveLength(15);
  });

  it('that are lost abort the handler with the reason, and its end is kept to itself', async () => {
    const reasons: unknown[] = [];
    startWorker(
      {
        send: (_, { signal }) =>
          new Promise<void>((resolve) => {
            signal.addEventListener('abort', () => {
              reasons.push(signal.reason.code, signal.reason.reason);
              resolve();
            });
          }),
      },
      { leaseMs: 3000, concurrency: 1 },
    );
    await queue.enqueue('send', null, { maxAttempts: 1 });
    await settled();
    store.jobs[0]!.state = 'dead';
    await clock.advance(1000);
    expect(reasons).toEqual(['JOB_ABORTED', 'leaseLost']);
    expect(told).toEqual([['leaseLost', 'memory-1']]);
    expect(store.callsOf('ack')).toEqual([]);
  });

  it('may be made longer by the handler, and the worker does not shorten them', async () => {
    const gate = new Gate();
    startWorker(
      {
        send: async (job, context) => {
          await context.extend(60_000);
          await gate.handler(job, context);
        },
      },
      { leaseMs: 3000 },
    );
    await queue.enqueue('send', null);
    await clock.advance(30_000);
    expect(store.jobs[0]?.leaseEndsAtMs).toBe(60_000);
    expect(store.callsOf('extend')).toEqual([1]);
    gate.open();
    await settled();
    expect(store.stateOf(0)).toBe('completed');
  });

  it('that are lost make extend throw, and a signal asked for late is aborted already', async () => {
    const caught: unknown[] = [];
    startWorker({
      send: async (_, context) => {
        store.jobs[0]!.state = 'dead';
        await context.extend().catch((error: Error) => caught.push(error.message, context.signal.reason === error));
      },
    });
    await queue.enqueue('send', null);
    await settled();
    expect(caught).toEqual([expect.stringContaining('lease was lost'), true]);
    expect(told).toEqual([['leaseLost', 'memory-1']]);
  });
});

describe('events', () => {
  it('go on when a listener throws', async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error) => warnings.push(warning);
    process.on('warning', onWarning);
    const worker = startWorker({ send: () => undefined });
    worker.on('completed', () => {
      throw new Error('a listener');
    });
    worker.on('completed', () => Promise.reject(new Error('a slow listener')));
    await enqueueMany(2);
    await settled();
    await settled();
    process.off('warning', onWarning);
    expect(store.jobs.map(({ state }) => state)).toEqual(['completed', 'completed']);
    expect(warnings.map(({ message }) => message).sort()).toEqual([
      'a listener',
      'a listener',
      'a slow listener',
      'a slow listener',
    ]);
  });

  it('are not told to a listener that was removed', async () => {
    const worker = startWorker({ send: () => undefined });
    const completed: string[] = [];
    const stopListening = worker.on('completed', ({ job }) => completed.push(job.id));
    await queue.enqueue('send', null);
    await settled();
    stopListening();
    await queue.enqueue('send', null);
    await settled();
    expect(completed).toEqual(['memory-1']);
  });
});

it.each([
  [{ concurrency: 0 }, 'concurrency'],
  [{ concurrency: 1.5 }, 'concurrency'],
  [{ leaseMs: 99 }, 'leaseMs'],
  [{ leaseMs: null as never }, 'leaseMs'],
  [{ codec: 'json' as never }, 'codec'],
  [{ backoffs: [] as never }, 'backoffs'],
  [{ graceMs: -1 }, 'graceMs'],
  [{ queue: [] }, 'queue'],
  [{ queue: '' }, 'queue'],
  [{ queue: ['mail', 'q'.repeat(101)] }, 'queue'],
  [{ name: '\ud800' }, 'name'],
  [{ handlers: { ['n'.repeat(101)]: () => undefined } }, 'handlers: a name'],
  [{ handlers: {} }, 'handlers'],
  [{ handlers: { send: undefined } as never }, 'handlers.send'],
  [{ handler: null as never }, 'handler'],
])('refuses %o', (options, argument) => {
  const refused = () => startWorker({ send: () => undefined }, options);
  expect(refused).toThrow(InvalidArgumentError);
  expect(refused).toThrow(expect.objectContaining({ argument }));
});

describe('a thread that was blocked', () => {
  it.each([
    { stallMs: 1900, blocked: [] },
    { stallMs: 2100, blocked: [1100] },
  ])('for $stallMs ms, with a third of the lease 1000, is told as $blocked', async ({ stallMs, blocked }) => {
    const gate = new Gate();
    const worker = startWorker({ send: gate.handler }, { leaseMs: 3000 });
    const seen: WorkerEvents['blocked'][] = [];
    worker.on('blocked', (event) => seen.push(event));
    const { id } = await queue.enqueue('send', null);
    await settled();
    clock.stall(stallMs);
    await clock.advance(0);
    expect(seen).toMatchObject(blocked.map((blockedMs) => ({ blockedMs, job: { id } })));
  });

  it('is told without a job where more than one is at work', async () => {
    const gate = new Gate();
    const worker = startWorker({ send: gate.handler }, { leaseMs: 3000 });
    const seen: WorkerEvents['blocked'][] = [];
    worker.on('blocked', (event) => seen.push(event));
    await enqueueMany(2);
    await settled();
    clock.stall(5000);
    await clock.advance(0);
    expect(seen).toEqual([{ blockedMs: 4000 }]);
  });
});
