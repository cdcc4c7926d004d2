import { JobNotCompletedError, StoreClosedError, type StoreEvent } from '@holdfast/contract';
import { memoryStore, SeededRandom, settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { Queue } from './queue.js';
import { Worker } from './worker.js';

const BY = { actor: 'ada' };

let clock: VirtualClock;
let store: ReturnType<typeof memoryStore>;
let queue: Queue;
let open: (value: unknown) => void;

beforeEach(() => {
  clock = new VirtualClock();
  store = memoryStore({ clock, random: new SeededRandom(7) });
  queue = new Queue('mail', { store });
});

/** Handlers that end when the test says how. */
function work() {
  const worker = new Worker({
    ...{ store, queue: 'mail', name: 'tester', clock },
    handlers: {
      send: () => new Promise((resolve) => (open = resolve)),
      fail: () => Promise.reject(new TypeError('no route')),
    },
  });
  return worker.start();
}

/** How a promise stands. */
function watch(promise: Promise<unknown>): { value?: unknown; error?: unknown } {
  const end: { value?: unknown; error?: unknown } = {};
  promise.then(
    (value) => Object.assign(end, { value }),
    (error) => Object.assign(end, { error }),
  );
  return end;
}

describe('waitFor', () => {
  it('answers the result once the job is completed, and at once when it is', async () => {
    work();
    const { id } = await queue.enqueue('send', 1);
    const first = watch(queue.waitFor(id));
    const second = watch(queue.waitFor(id));
    await clock.advance(5000);
    expect([first, second]).toEqual([{}, {}]);
    open({ sent: true });
    await clock.advance(50);
    expect([first, second]).toEqual([{ value: { sent: true } }, { value: { sent: true } }]);
    expect(await queue.waitFor(id)).toEqual({ sent: true });
  });

  it('waits over retries, and tells the last error of a job that is dead', async () => {
    work();
    const backoff = { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' } as const;
    const { id } = await queue.enqueue('fail', 1, { maxAttempts: 3, backoff });
    const wait = watch(queue.waitFor(id));
    await clock.advance(1500);
    expect(wait).toEqual({});
    await clock.advance(1500);
    expect(wait.error).toBeInstanceOf(JobNotCompletedError);
    expect(wait.error).toMatchObject({ state: 'dead', lastError: { class: 'TypeError', message: 'no route' } });
  });

  it.each(['cancel', 'remove'] as const)('ends when somebody would %s the job', async (act) => {
    const { id } = await queue.enqueue('send', 1);
    const wait = watch(queue.waitFor(id));
    await settled();
    await queue[act]([id], BY);
    await clock.advance(50);
    expect(wait.error).toMatchObject({ code: 'JOB_NOT_COMPLETED', state: act === 'cancel' ? 'cancelled' : 'missing' });
  });

  it('knows no job of another queue', async () => {
    const { id } = await new Queue('print', { store }).enqueue('send', 1);
    await expect(queue.waitFor(id)).rejects.toMatchObject({ state: 'missing' });
    await expect(queue.waitFor('nonsense')).rejects.toThrow(JobNotCompletedError);
  });

  it('ends with its signal, and leaves nothing behind', async () => {
    const { id } = await queue.enqueue('send', 1);
    const given = new AbortController();
    const wait = watch(queue.waitFor(id, { signal: given.signal }));
    await settled();
    given.abort(new Error('enough'));
    await settled();
    expect(wait.error).toMatchObject({ message: 'enough' });
    await expect(queue.waitFor(id, { signal: given.signal })).rejects.toThrow('enough');
    await settled();
    expect(clock.timers).toBe(0);
  });

  it('ends with its signal also while the store does not answer', async () => {
    const { id } = await queue.enqueue('send', 1);
    const silent = Object.assign(Object.create(store), {
      job: () => new Promise(() => {}),
      events: store.events.bind(store),
    });
    const given = new AbortController();
    const wait = watch(new Queue('mail', { store: silent }).waitFor(id, { signal: given.signal }));
    await settled();
    given.abort(new Error('enough'));
    await settled();
    expect(wait.error).toMatchObject({ message: 'enough' });
  });

  it('does not read the payload, which a job may be dead for', async () => {
    work();
    const [job] = await store.enqueue([{ queue: 'mail', name: 'send', payload: 'no JSON' }]);
    const wait = watch(queue.waitFor(job!.id));
    await clock.advance(50);
    expect(wait.error).toMatchObject({ code: 'JOB_NOT_COMPLETED', state: 'dead', lastError: { class: 'SyntaxError' } });
  });

  it('ends when the store is closed', async () => {
    const { id } = await queue.enqueue('send', 1);
    const wait = watch(queue.waitFor(id));
    await settled();
    await store.close();
    await settled();
    expect(wait.error).toBeInstanceOf(StoreClosedError);
  });

  it('misses no end that falls between its first look and its wait, nor one in a gap', async () => {
    let tell: (event: Partial<StoreEvent> | undefined) => void = () => {};
    const events = async function* () {
      for (;;) {
        const event = await new Promise<Partial<StoreEvent> | undefined>((resolve) => (tell = resolve));
        if (event === undefined) return;
        yield event as StoreEvent;
      }
    };
    let jobs = 0;
    const slow = new Queue('mail', {
      store: Object.assign(Object.create(store), {
        events,
        job: async (id: string) => {
          const job = await store.job(id);
          // It ends after it was read, and before the reader knows.
          if (jobs++ === 0) tell({ kind: 'completed', id });
          await settled();
          return job;
        },
      }),
    });
    const { id } = await queue.enqueue('send', 1);
    const wait = watch(slow.waitFor(id));
    await settled();
    await settled();
    expect(jobs).toBe(2);
    await queue.cancel([id], BY);
    tell({ kind: 'gap' });
    await settled();
    await settled();
    expect(wait.error).toMatchObject({ state: 'cancelled' });
  });
});
