import { InvalidPayloadError } from '@holdfast/contract';
import { settled, VirtualClock } from '@holdfast/testing';
import * as v from 'valibot';
import { beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { MemoryStore } from '../../test/queue/memory-store.js';
import { Queue } from './queue.js';
import type { InputsOf, OutputsOf } from './schemas.js';
import { Worker } from './worker.js';

let clock: VirtualClock;
let store: MemoryStore;

beforeEach(() => {
  clock = new VirtualClock();
  store = new MemoryStore(clock);
});

const ZOD = { send: z.object({ orderId: z.string(), copies: z.number().int().min(1).default(1) }) };
const VALIBOT = {
  send: v.object({ orderId: v.string(), copies: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)), 1) }),
};

describe.each([
  ['zod', ZOD],
  ['valibot', VALIBOT],
])('a schema of %s', (_, schemas) => {
  it('refuses a payload before anything is stored, with every issue and its path', async () => {
    const queue = new Queue('mail', { store, schemas });
    const wrong: object = { orderId: 7, copies: 0 };
    const refused = queue.enqueue('send', wrong as { orderId: string });
    await expect(refused).rejects.toThrow(InvalidPayloadError);
    await expect(refused).rejects.toMatchObject({
      code: 'INVALID_PAYLOAD',
      outcome: 'rejected',
      jobName: 'send',
      issues: [{ path: '.orderId' }, { path: '.copies' }],
    });
    const many = queue.enqueueMany([
      { name: 'send', payload: { orderId: 'o-1' } },
      { name: 'send', payload: wrong as { orderId: string } },
    ]);
    await expect(many).rejects.toThrow('jobs[1].payload.orderId');
    expect(store.jobs).toEqual([]);
  });

  it('has payloads stored as they were when the call was made, whatever becomes of the object later', async () => {
    const queue = new Queue('mail', { store, schemas });
    const payload = { orderId: 'o-1' };
    const calls: Promise<unknown>[] = [queue.enqueue('send', payload)];
    payload.orderId = 'o-2';
    calls.push(queue.enqueueMany([{ name: 'send', payload }]));
    payload.orderId = 'o-3';
    await Promise.all(calls);
    expect(store.jobs.map(({ job }) => job.payload)).toEqual(['{"orderId":"o-1"}', '{"orderId":"o-2"}']);
  });

  it('gives the handler what it makes of the payload, which is stored as it was given', async () => {
    const queue = new Queue('mail', { store, schemas });
    const seen: unknown[] = [];
    const worker = new Worker({
      ...{ store, queue: 'mail', name: 'tester', clock, schemas },
      handlers: {
        send: ({ payload }) => {
          expectTypeOf(payload).toEqualTypeOf<{ orderId: string; copies: number }>();
          seen.push(payload);
        },
      },
    });
    await queue.enqueue('send', { orderId: 'o-1' });
    worker.start();
    await settled();
    expect(store.jobs[0]?.job.payload).toBe('{"orderId":"o-1"}');
    expect(seen).toEqual([{ orderId: 'o-1', copies: 1 }]);
  });

  it('makes a job whose payload no longer fits dead at once, with the reason', async () => {
    await store.enqueue([{ queue: 'mail', name: 'send', payload: '{"order":"o-1"}' }]);
    const handler = () => expect.unreachable();
    new Worker({ store, queue: 'mail', name: 'tester', clock, schemas, handler }).start();
    await settled();
    expect(store.jobs[0]).toMatchObject({ state: 'dead', attempts: 1 });
    expect(store.jobs[0]?.errors[0]).toMatchObject({ class: 'InvalidPayloadError' });
    expect(store.jobs[0]?.errors[0]?.message).toContain('payload.orderId');
  });
});

it('checks what needs a promise, and fails attempt or call when the schema itself fails', async () => {
  let broken = false;
  const validate = async (value: unknown) => {
    await settled();
    if (broken) throw new Error('the list of customers cannot be read');
    return { value: value as string };
  };
  const schemas = { send: { '~standard': { version: 1 as const, vendor: 'us', validate } } };
  const queue = new Queue('mail', { store, schemas });
  const done: unknown[] = [];
  new Worker({ store, queue: 'mail', name: 'tester', clock, schemas, handler: () => done.push(1) }).start();
  await queue.enqueue('send', 'ada');
  await settled();
  await settled();
  expect(done).toEqual([1]);
  broken = true;
  await expect(queue.enqueue('send', 'ada')).rejects.toThrow('the list of customers cannot be read');
  await store.enqueue([{ queue: 'mail', name: 'send', payload: '"ada"' }]);
  await settled();
  await settled();
  expect(store.jobs[1]).toMatchObject({ state: 'scheduled', attempts: 1 });
});

it('leaves names without a schema alone, also those that every object has', async () => {
  const queue = new Queue<Record<string, unknown>>('mail', { store, schemas: { send: z.string() } });
  await queue.enqueue('constructor', { any: 'thing' });
  expect(store.jobs).toHaveLength(1);
});

it.each([{ type: 'string' }, null, 'string', { '~standard': { version: 1 } }])(
  'refuses %j for a schema where queue and worker are made',
  (none) => {
    const schemas = { send: none } as never;
    const problem = /^schemas\.send is .*, but must be a schema .*Standard Schema/;
    expect(() => new Queue('mail', { store, schemas })).toThrow(problem);
    const worker = { store, queue: 'mail', name: 'tester', clock, schemas, handler: () => undefined };
    expect(() => new Worker(worker)).toThrow(problem);
  },
);

it('takes a function for a schema, as that of arktype is one', async () => {
  const schema = Object.assign(() => undefined, { '~standard': z.string()['~standard'] });
  await new Queue('mail', { store, schemas: { send: schema } }).enqueue('send', 'a');
  expect(store.jobs).toHaveLength(1);
});

it('types jobs by their schemas, where queue and handlers are apart', () => {
  const schemas = { send: z.object({ at: z.coerce.date<string>() }), wake: z.number() };
  expectTypeOf<InputsOf<typeof schemas>>().toEqualTypeOf<{ send: { at: string }; wake: number }>();
  expectTypeOf<OutputsOf<typeof schemas>>().toEqualTypeOf<{ send: { at: Date }; wake: number }>();
  const queue: Queue<InputsOf<typeof schemas>> = new Queue('mail', { store, schemas });
  // @ts-expect-error: a name that is misspelled.
  void (() => queue.enqueue('sned', { at: '' }));
});

it('types what is enqueued by what the schemas take', () => {
  const queue = new Queue('mail', { store, schemas: { send: z.object({ at: z.coerce.date<string>() }) } });
  expectTypeOf(queue.enqueue<'send'>)
    .parameter(1)
    .toEqualTypeOf<{ at: string }>();
});

it('starts no handler when the attempt was given up while the payload was checked', async () => {
  const checks: ((value: { value: unknown }) => void)[] = [];
  const validate = () => new Promise<{ value: unknown }>((resolve) => checks.push(resolve));
  const schemas = { send: { '~standard': { version: 1, vendor: 'test', validate } } } as const;
  const attempts: number[] = [];
  const worker = new Worker({
    ...{ store, queue: 'mail', name: 'tester', clock, schemas, timeoutMs: 1000 },
    handler: (_, { attempt }) => void attempts.push(attempt),
  });
  await store.enqueue([{ queue: 'mail', name: 'send', payload: '1', maxAttempts: 2 }]);
  worker.start();
  await clock.advance(5000);
  expect([checks.length, worker.runaways().length]).toEqual([2, 2]);
  for (const checked of checks) checked({ value: 1 });
  await settled();
  expect(attempts).toEqual([]);
  expect(worker.runaways()).toEqual([]);
});
