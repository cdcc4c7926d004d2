import { InvalidArgumentError, PayloadNotJsonError, StoreFailedError } from '@holdfast/contract';
import { type MemoryStore, memoryStore, SeededRandom, settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Handler, JobContext } from './handler.js';
import { NOTE_EVERY_MS } from './job-notes.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';

let clock: VirtualClock;
let store: MemoryStore;
let queue: Queue;
/** The number of items of each call. */
let calls: number[];
let told: unknown[];

beforeEach(() => {
  clock = new VirtualClock();
  store = memoryStore({ clock, random: new SeededRandom(1) });
  queue = new Queue('mail', { store });
  calls = [];
  told = [];
  const note = store.note.bind(store);
  store.note = (items) => {
    calls.push(items.length);
    return note(items);
  };
});

function startWorker(handler: Handler): Worker {
  const worker = new Worker({ store, queue: 'mail', handler, name: 'tester', clock, graceMs: 0 });
  worker.on('progress', ({ progress }) => told.push(progress));
  worker.on('error', ({ error, during }) => told.push([during, error]));
  return worker.start();
}

/** A handler whose context is given to the test, and which ends when the test says so. */
function held() {
  const contexts: JobContext[] = [];
  const ends: (() => void)[] = [];
  const handler: Handler = (_, context) => {
    contexts.push(context);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  return { contexts, ends, handler };
}

async function begun(count = 1) {
  const { contexts, ends, handler } = held();
  const jobs = await queue.enqueueMany(Array.from({ length: count }, () => ({ name: 'send', payload: 1 })));
  const worker = startWorker(handler);
  await settled();
  expect(contexts).toHaveLength(count);
  return { worker, contexts, ends, ids: jobs.map(({ id }) => id), context: contexts[0]!, id: jobs[0]!.id };
}

/** Handlers that are held are aborted, and their jobs handed back. */
async function end(worker: Worker) {
  const closed = worker.close();
  await clock.advance(1000);
  await closed;
}

async function attemptOf(id: string) {
  const { progress, lines, droppedLines } = (await queue.job(id))!.attemptLog.at(-1)!;
  return { progress, lines: lines?.map(({ text }) => text), droppedLines };
}

describe('what a handler tells', () => {
  it('is seen a quarter of a second later, in one call for all jobs', async () => {
    const { contexts, ids, worker } = await begun(3);
    for (const [index, { progress, log }] of bound(contexts).entries()) {
      progress(0.1);
      progress({ done: index });
      log('first');
      log('second');
    }
    await clock.advance(NOTE_EVERY_MS - 1);
    expect(calls).toEqual([]);
    await clock.advance(1);
    expect(calls).toEqual([3]);
    for (const [index, id] of ids.entries()) {
      expect((await queue.job(id))?.progress).toEqual({ done: index });
      expect((await attemptOf(id)).lines).toEqual(['first', 'second']);
    }
    expect(told).toEqual([{ done: 0 }, { done: 1 }, { done: 2 }]);
    await clock.advance(10 * NOTE_EVERY_MS);
    expect(calls).toEqual([3]);
    await end(worker);
  });

  it('leaves no timer behind', async () => {
    const { contexts, ends, worker } = await begun(2);
    for (const { log } of contexts) log('here');
    ends[0]!();
    await end(worker);
    await store.close();
    expect(clock.timers).toBe(0);
  });

  it('costs a job that tells nothing no call', async () => {
    const { ends, worker } = await begun();
    ends[0]!();
    await settled();
    await end(worker);
    expect(calls).toEqual([]);
  });

  it('is kept when the handler ends at once, before the end of its lease', async () => {
    const { id } = await queue.enqueue('send', 1);
    const worker = startWorker((_, { log, progress }) => {
      log('only');
      progress(1);
    });
    await settled();
    expect(await queue.job(id)).toMatchObject({ state: 'completed', progress: 1 });
    expect((await attemptOf(id)).lines).toEqual(['only']);
    await end(worker);
  });

  it('is kept when the handler throws, and of one that is handed back', async () => {
    const { id } = await queue.enqueue('send', 1);
    const worker = startWorker((_, { log, attempt, signal }) => {
      log(`attempt ${attempt}`);
      if (attempt === 1) throw new Error('no');
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    });
    await settled();
    await clock.advance(3_600_000);
    await end(worker);
    expect((await queue.job(id))?.attemptLog).toMatchObject([
      { outcome: 'failed', lines: [{ text: 'attempt 1' }] },
      { outcome: 'released', lines: [{ text: 'attempt 2' }] },
    ]);
  });

  it('is bounded: the last hundred lines, long ones cut, the others counted', async () => {
    const { context, id, worker } = await begun();
    for (let line = 0; line < 1000; line++) context.log(`line ${line}`);
    context.log('long '.repeat(1000));
    await clock.advance(NOTE_EVERY_MS);
    const { lines, droppedLines } = await attemptOf(id);
    expect(lines).toHaveLength(100);
    expect(lines?.[0]).toBe('line 901');
    expect(lines?.at(-1)).toHaveLength(1024);
    expect(droppedLines).toBe(901);
    await end(worker);
  });

  it('is refused where it is no JSON or too long', async () => {
    const { context, id, worker } = await begun();
    expect(() => context.progress(10n)).toThrow(PayloadNotJsonError);
    expect(() => context.progress(undefined)).toThrow('progress is undefined');
    expect(() => context.progress('x'.repeat(1023))).toThrow(InvalidArgumentError);
    await clock.advance(NOTE_EVERY_MS);
    expect(await attemptOf(id)).toEqual({});
    await end(worker);
  });

  it('is not kept once the attempt is over', async () => {
    const { context, ends, id, worker } = await begun();
    ends[0]!();
    await settled();
    context.log('late');
    context.progress(1);
    await clock.advance(NOTE_EVERY_MS);
    expect(calls).toEqual([]);
    expect(await attemptOf(id)).toEqual({});
    await end(worker);
  });

  it('aborts the handler whose lease is over, by its answer', async () => {
    const { contexts, ids, worker } = await begun(2);
    const [first, second] = contexts as [JobContext, JobContext];
    await store.cancel({ ids: [ids[0]!] }, { actor: 'olga' });
    for (const { log } of bound([first, second])) log('here');
    await clock.advance(NOTE_EVERY_MS);
    expect(first.signal.reason).toMatchObject({ reason: 'cancelled' });
    expect(second.signal.aborted).toBe(false);
    await end(worker);
  });

  it('is lost where the store fails, which is told, and the job goes on', async () => {
    const { context, ends, id, worker } = await begun();
    const failure = new StoreFailedError('unknown', 'gone');
    store.note = () => Promise.reject(failure);
    context.log('lost');
    await clock.advance(NOTE_EVERY_MS);
    expect(told).toEqual([['note', failure]]);
    ends[0]!();
    await settled();
    expect((await queue.job(id))?.state).toBe('completed');
    await end(worker);
  });

  it('is told by events alone where a store keeps no notes', async () => {
    const { context, id, worker } = await begun();
    Object.assign(store, { note: undefined });
    context.progress(0.5);
    context.log('nowhere');
    await clock.advance(NOTE_EVERY_MS);
    expect(told).toEqual([0.5]);
    expect(await attemptOf(id)).toEqual({});
    await end(worker);
  });
});

/** Handlers may take the calls out of their context. */
function bound(contexts: readonly JobContext[]): Pick<JobContext, 'progress' | 'log'>[] {
  return contexts.map(({ progress, log }) => ({ progress, log }));
}
