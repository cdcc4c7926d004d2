import { type MemoryStore, memoryStore, SeededRandom, settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Handler } from './handler.js';
import type { PayloadCodec } from './payload-codec.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';
import type { WorkerOptions } from './worker-options.js';

let clock: VirtualClock;
let store: MemoryStore;
let errors: [string, string][];

beforeEach(() => {
  clock = new VirtualClock();
  store = memoryStore({ clock, random: new SeededRandom(1) });
  errors = [];
});

function startWorker(handler: Handler<never>, options: Partial<WorkerOptions> = {}): Worker {
  const worker = new Worker({ store, queue: 'mail', name: 'tester', clock, handler, ...options });
  worker.on('error', ({ during, error }) => errors.push([during, String(error)]));
  return worker.start();
}

describe('results', () => {
  it('of jobs that end at once are all kept, though one call may not carry so many bytes', async () => {
    const queue = new Queue('mail', { store });
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    startWorker(() => opened.then(() => 'x'.repeat(200_000)), { concurrency: 100 });
    await queue.enqueueMany(Array.from({ length: 100 }, () => ({ name: 'send', payload: null })));
    await settled();
    open();
    await settled();
    expect(errors).toEqual([]);
    expect(await queue.counts()).toMatchObject({ completed: 100, leased: 0 });
  });

  it('that a codec makes and no store can keep are left out, and the jobs that end with theirs are completed too', async () => {
    const plain: PayloadCodec = { encode: (value) => value as string, decode: (payload) => payload };
    const queue = new Queue('mail', { store, codec: plain });
    // The half of a character, as `slice` leaves it, and no payload at all.
    const results: Record<string, unknown> = { half: '😀'.slice(0, 1), number: 7, whole: '😀' };
    startWorker(({ name }: { name: string }) => results[name], { codec: plain });
    const jobs = await queue.enqueueMany(Object.keys(results).map((name) => ({ name, payload: '' })));
    await settled();
    expect(errors).toEqual([
      ['result', expect.stringContaining('lone surrogates')],
      ['result', expect.stringContaining('result is 7, but must be a string or a Uint8Array')],
    ]);
    const ended = await Promise.all(jobs.map(({ id }) => queue.job(id)));
    expect(ended.map((job) => [job?.state, job?.result])).toEqual([
      ['completed', undefined],
      ['completed', undefined],
      ['completed', '😀'],
    ]);
  });
});
