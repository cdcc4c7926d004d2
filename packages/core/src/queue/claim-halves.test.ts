import { type ClaimRequest, type LeasedJob, StoreFailedError } from '@holdfast/contract';
import { settled, VirtualClock } from '@holdfast/testing';
import { expect, it } from 'vitest';
import { Worker } from './worker.js';
import type { WorkerStore } from './worker-options.js';

const CONCURRENCY = 100;

interface OpenClaim {
  readonly request: ClaimRequest;
  readonly answer: (jobs: LeasedJob[]) => void;
  readonly fail: (error: Error) => void;
}

/** A store whose claims (and acks, if they wait) a test answers, and a worker whose handlers end when the test says so. */
function start(kind: string, { concurrency = CONCURRENCY, acksWait = false } = {}) {
  const clock = new VirtualClock();
  const claims: OpenClaim[] = [];
  const acks: { readonly count: number; readonly answer: () => void }[] = [];
  const endings: (() => void)[] = [];
  const released: string[] = [];
  let lastId = 0;
  const store: WorkerStore = {
    capabilities: { kind, payloadBytesMax: 1000, enqueueJobsMax: 1000, claimJobsMax: 1000 },
    claim: (request) =>
      new Promise((answer, fail) => {
        claims.push({ request, answer, fail });
      }),
    ack: (items) =>
      new Promise((answer) => {
        acks.push({ count: items.length, answer: () => answer(items.map(() => 'ok')) });
        if (!acksWait) acks.at(-1)?.answer();
      }),
    fail: async () => [],
    release: async (items) => {
      released.push(...items.map(({ id }) => id));
      return items.map(() => 'ok');
    },
    extend: async (items) => items.map(() => 'ok'),
    note: async () => [],
  };
  const handler = () => new Promise<void>((resolve) => endings.push(resolve));
  const worker = new Worker({ store, queue: 'mail', handler, name: 'tester', clock, concurrency });
  const errors: unknown[] = [];
  worker.on('error', ({ error }) => errors.push(error));
  worker.start();
  return {
    ...{ clock, worker, claims, acks, endings, errors, released },
    limits: () => claims.map(({ request }) => request.limit),
    waits: () => claims.map(({ request }) => request.waitMs !== 0),
    /** Answers the oldest open claim with so many jobs. */
    give: async (count: number) => {
      claims.shift()?.answer(Array.from({ length: count }, () => job(++lastId)));
      await settled();
    },
    end: async (count: number) => {
      for (const end of endings.splice(0, count)) end();
      await settled();
    },
  };
}

function job(id: number): LeasedJob {
  return {
    ...{ id: `j${id}`, token: `t${id}`, queue: 'mail', name: 'send', payload: 'null', priority: 0 },
    ...{ attempt: 1, maxAttempts: 3, enqueuedAtMs: 0, leaseMs: 30_000 },
  };
}

it('asks for the jobs of half of the slots at a time while more wait than one claim takes, and never for more than are free', async () => {
  const { limits, waits, give, end, worker } = start('log');
  await settled();
  expect(limits()).toEqual([100]);
  await give(100);
  expect(limits()).toEqual([]);
  await end(60);
  expect(limits()).toEqual([50, 10]);
  expect(waits().toSorted()).toEqual([false, true]);
  await give(50);
  await end(70);
  expect(limits().reduce((sum, limit) => sum + limit, worker.running)).toBeLessThanOrEqual(CONCURRENCY);
  await give(limits()[0]!);
  await end(50);
  expect(limits()).toHaveLength(2);
  expect(limits().reduce((sum, limit) => sum + limit, worker.running)).toBeLessThanOrEqual(CONCURRENCY);
});

it('is back to one claim, which waits for all free slots, once the other is answered with less', async () => {
  const { claims, limits, waits, give, end } = start('log');
  await settled();
  await give(100);
  await end(100);
  expect(limits()).toEqual([50, 50]);
  const beside = claims.findIndex(({ request }) => request.waitMs === 0);
  claims.unshift(...claims.splice(beside, 1));
  await give(3);
  await end(3);
  expect([limits(), waits()]).toEqual([[50], [true]]);
  await give(1);
  expect([limits(), waits()]).toEqual([[99], [true]]);
});

it('tells how attempts ended in two calls at a time', async () => {
  const { acks, give, end } = start('log', { acksWait: true });
  await settled();
  await give(100);
  await end(10);
  await end(20);
  await end(30);
  expect(acks.map(({ count }) => count)).toEqual([10, 20]);
  acks[0]?.answer();
  await settled();
  expect(acks.map(({ count }) => count)).toEqual([10, 20, 30]);
});

it.each([
  ['a store whose calls are transactions', 'postgres', CONCURRENCY],
  ['few slots', 'log', 10],
])('has one call of each kind under way with %s', async (_why, kind, concurrency) => {
  const { acks, limits, give, end } = start(kind, { concurrency, acksWait: true });
  await settled();
  await give(concurrency);
  await end(concurrency / 2);
  await end(concurrency / 2);
  expect(acks).toHaveLength(1);
  expect(limits()).toHaveLength(1);
});

it('tells a failure of either claim, and goes on with one', async () => {
  const { clock, claims, errors, give, end, limits } = start('log');
  await settled();
  await give(100);
  await end(100);
  const failure = new StoreFailedError('unknown', 'lost');
  for (const { fail } of claims.splice(0)) fail(failure);
  await settled();
  expect(errors).toEqual([failure, failure]);
  await clock.advance(1000);
  expect(limits()).toEqual([100]);
});

it('hands back what either claim brings after the close', async () => {
  const { claims, give, end, worker, released } = start('log');
  await settled();
  await give(100);
  await end(100);
  const [first, second] = claims.splice(0);
  const closed = worker.close();
  first?.answer([job(201)]);
  second?.answer([job(202)]);
  await closed;
  expect([released.toSorted(), claims]).toEqual([['j201', 'j202'], []]);
});
