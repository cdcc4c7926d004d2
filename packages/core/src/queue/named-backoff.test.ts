import { InvalidArgumentError, type JobError, RetryAfter } from '@holdfast/contract';
import { type MemoryStore, memoryStore, SeededRandom, settled, VirtualClock } from '@holdfast/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Handler } from './handler.js';
import type { Backoffs } from './named-backoff.js';
import { Queue } from './queue.js';
import { Worker } from './worker.js';

const WEBHOOK = { kind: 'named', name: 'webhook', baseMs: 1000, jitter: 'none' } as const;

let clock: VirtualClock;
let store: MemoryStore;
let queue: Queue;
let told: unknown[];

beforeEach(() => {
  clock = new VirtualClock();
  store = memoryStore({ clock, random: new SeededRandom(1) });
  queue = new Queue('mail', { store, defaults: { backoff: WEBHOOK, maxAttempts: null } });
  told = [];
});

const failing: Handler = () => {
  throw new RangeError('503');
};

/** The wait after the first attempt of a job. */
async function waitWith(backoffs: Backoffs | undefined, handler = failing, options = {}) {
  const { id } = await queue.enqueue('send', 1, options);
  const worker = new Worker({ store, queue: 'mail', handler, name: 'tester', clock, ...(backoffs && { backoffs }) });
  worker.on('error', ({ error, during }) => told.push([during, error]));
  worker.start();
  await settled();
  const closed = worker.close();
  await clock.advance(0);
  await closed;
  const { state, runAtMs, updatedAtMs, lastError } = (await queue.job(id))!;
  return { state, waitMs: runAtMs - updatedAtMs, lastError };
}

describe('a backoff by name', () => {
  it('is asked with the attempt, the error and the job', async () => {
    const asked: unknown[] = [];
    const webhook = (attempt: number, error: unknown, job: { readonly name: string }) => {
      asked.push([attempt, (error as JobError).message, job.name]);
      return 4711.2;
    };
    expect(await waitWith({ webhook })).toMatchObject({ state: 'scheduled', waitMs: 4712 });
    expect(asked).toEqual([[1, '503', 'send']]);
    expect(told).toEqual([]);
  });

  it('says nothing where the handler says more', async () => {
    const handler = () => {
      throw new RetryAfter(5);
    };
    expect(await waitWith({ webhook: () => 4711 }, handler)).toMatchObject({ waitMs: 5 });
    expect(await waitWith({ webhook: () => 4711 }, failing, { maxAttempts: 1 })).toMatchObject({ state: 'dead' });
  });

  it.each<[string, Backoffs | undefined, string]>([
    ['is not known', undefined, '"webhook", but must be a name in the option `backoffs`'],
    ['is known by other names only', { mail: () => 1, toString: () => 2 }, 'one of mail, toString'],
    ['is the name of something that every object has', {}, 'a name in the option'],
    ['gives a text', { webhook: () => 'soon' as never }, 'a wait of'],
    ['gives no wait', { webhook: () => Number.NaN }, 'a wait of 0 to'],
    ['gives a wait before now', { webhook: () => -1 }, 'a wait of 0 to'],
  ])('that %s is told, and the job waits as an exponential one', async (_, backoffs, message) => {
    const { waitMs, lastError } = await waitWith(backoffs);
    expect(waitMs).toBe(1000);
    expect(lastError).toEqual({ class: 'RangeError', message: '503' });
    expect(told).toEqual([['backoff', expect.any(InvalidArgumentError)]]);
    expect(String(told)).toContain(message);
  });

  it('whose function throws is told with what it threw', async () => {
    const broken = new Error('no table');
    const webhook = () => {
      throw broken;
    };
    expect((await waitWith({ webhook })).waitMs).toBe(1000);
    expect(told).toEqual([['backoff', broken]]);
  });

  it('that is no function is refused by the worker', () => {
    const backoffs = { webhook: 5 } as unknown as Backoffs; // wrong on purpose
    expect(() => new Worker({ store, queue: 'mail', handler: failing, name: 'tester', clock, backoffs })).toThrow(
      'backoffs.webhook is 5, but must be a function',
    );
  });
});
