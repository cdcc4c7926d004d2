import { InvalidDefaultsError, PayloadNotJsonError } from '@holdfast/contract';
import { VirtualClock } from '@holdfast/testing';
import { beforeEach, expect, expectTypeOf, it } from 'vitest';
import { MemoryStore } from '../../test/queue/memory-store.js';
import { Queue } from './queue.js';

interface ReceiptJobs {
  send: { orderId: string };
  void: { orderId: string; reason?: string };
}

let store: MemoryStore;
let queue: Queue<ReceiptJobs>;

beforeEach(() => {
  store = new MemoryStore(new VirtualClock());
  queue = new Queue('receipts', { store, defaults: { maxAttempts: 8, priority: 3 } });
});

it('stores the payload as JSON, with the defaults of the queue under the options of the job', async () => {
  const answer = await queue.enqueue('send', { orderId: 'o-1' }, { maxAttempts: null, delayMs: 5 });
  expect(answer).toEqual({ id: 'memory-1', state: 'scheduled', outcome: 'created' });
  const stored = { queue: 'receipts', name: 'send', payload: '{"orderId":"o-1"}' };
  expect(store.jobs[0]?.job).toEqual({ ...stored, maxAttempts: null, priority: 3, delayMs: 5 });
});

it('takes an undefined option for one that was not given', async () => {
  const options = JSON.parse('{}');
  options.maxAttempts = undefined;
  await queue.enqueue('send', { orderId: 'o-1' }, options);
  expect(store.jobs[0]?.job.maxAttempts).toBe(8);
});

it('hands every option of a job to the store', async () => {
  const backoff = { kind: 'fixed', baseMs: 10 } as const;
  const beside = {
    timeoutMs: 70,
    headers: { trace: 'a' },
    dedupe: { key: 'o-1', onConflict: 'replace', forMs: 5 },
  } as const;
  const options = { priority: 3, delayMs: 50, expiresInMs: 60_000, maxAttempts: 7, backoff, ...beside };
  await queue.enqueue('send', { orderId: 'o-1' }, options);
  await queue.enqueue('send', { orderId: 'o-2' }, { runAtMs: 5 });
  expect(store.jobs.map(({ job }) => job)).toMatchObject([options, { runAtMs: 5 }]);
});

it('tells the store the request of a call, and the job nothing of it', async () => {
  const asked: unknown[] = [];
  const enqueue: MemoryStore['enqueue'] = (jobs, options?: unknown) => {
    asked.push(options);
    return store.enqueue(jobs);
  };
  const watched = new Queue('receipts', { store: Object.assign(Object.create(store), { enqueue }) });
  await watched.enqueue('send', { orderId: 'o-1' }, { requestId: 'one', priority: 2 });
  await watched.enqueue('send', { orderId: 'o-2' }, JSON.parse('{ "priority": 1 }'));
  await watched.enqueueMany([{ name: 'send', payload: { orderId: 'o-3' } }], { requestId: 'two' });
  expect(asked).toEqual([{ requestId: 'one' }, undefined, { requestId: 'two' }]);
  expect(store.jobs.map(({ job }) => [job.priority, 'requestId' in job])).toEqual([
    [2, false],
    [1, false],
    [undefined, false],
  ]);
});

it('takes options from wherever an object has them: from its prototype, from a getter', async () => {
  class Urgent {
    get priority() {
      return 1;
    }
  }
  await queue.enqueue('send', { orderId: 'o-1' }, Object.assign(new Urgent(), { requestId: 'one', delayMs: 5 }));
  const entry = Object.assign(Object.create({ delayMs: 5 }), { name: 'send', payload: { orderId: 'o-2' } });
  await queue.enqueueMany([entry]);
  expect(store.jobs.map(({ job }) => [job.priority, job.delayMs])).toEqual([
    [1, 5],
    [3, 5],
  ]);
});

it.each([null, 'soon', 5])('refuses options that are no object: %o', async (options) => {
  const untyped = options as unknown as object;
  await expect(queue.enqueue('send', { orderId: 'o-1' }, untyped)).rejects.toMatchObject({ code: 'INVALID_JOB' });
});

it('refuses an option that it does not know, and stores nothing', async () => {
  const misspelled: object = { delay: 1000 };
  await expect(queue.enqueue('send', { orderId: 'o-1' }, misspelled)).rejects.toThrow(
    /Job 0 .* option delay is not known; there are priority, delayMs/,
  );
  const many = [
    { name: 'send' as const, payload: { orderId: 'o-1' } },
    { name: 'send' as const, payload: { orderId: 'o-2' }, attempts: 3 },
  ];
  await expect(queue.enqueueMany(many)).rejects.toThrow(/Job 1 .* option attempts is not known/);
  expect(store.jobs).toEqual([]);
});

it('refuses defaults with which no job could be stored, when it is made', () => {
  const made = (defaults: object) => () => new Queue('receipts', { store, defaults });
  expect(made({ maxAttempts: 0 })).toThrow(/^The defaults of the queue "receipts" cannot work: maxAttempts is 0/);
  expect(made({ backoff: { kind: 'linear', baseMs: 1 } })).toThrow(InvalidDefaultsError);
  expect(made({ attempts: 3 })).toThrow(/attempts is not known; there are priority, maxAttempts, backoff/);
  expect(made({ backoff: { kind: 'fixed', baseMs: 200 }, maxAttempts: null, priority: 7 })).not.toThrow();
});

it('stores many at once, in one call and in order', async () => {
  const answers = await queue.enqueueMany([
    { name: 'send', payload: { orderId: 'o-1' } },
    { name: 'void', payload: { orderId: 'o-2' }, priority: 0 },
  ]);
  expect(answers.map(({ id }) => id)).toEqual(['memory-1', 'memory-2']);
  expect(store.callsOf('enqueue')).toEqual([2]);
  expect(store.jobs.map(({ job }) => [job.name, job.priority])).toEqual([
    ['send', 3],
    ['void', 0],
  ]);
  expect(await queue.enqueueMany([])).toEqual([]);
});

it('names the job and the path of what is not JSON, and stores nothing', async () => {
  const loose = new Queue('receipts', { store });
  const call = loose.enqueueMany([
    { name: 'send', payload: {} },
    { name: 'send', payload: { at: new Date() } },
  ]);
  await expect(call).rejects.toThrow(expect.objectContaining({ path: 'jobs[1].payload.at' }));
  await expect(loose.enqueue('send', 1n)).rejects.toThrow(PayloadNotJsonError);
  expect(store.jobs).toEqual([]);
});

it('counts its own jobs, also when there never was one', async () => {
  expect(await queue.counts()).toMatchObject({ ready: 0, leased: 0, dead: 0 });
  await queue.enqueue('send', { orderId: 'o-1' });
  await new Queue('other', { store }).enqueue('send', null);
  expect(await queue.counts()).toMatchObject({ ready: 1, leased: 0 });
});

it('finds its own jobs by id, with the payload as a value', async () => {
  const { id } = await queue.enqueue('send', { orderId: 'o-1' });
  expect(await queue.job(id)).toMatchObject({ id, state: 'ready', payload: { orderId: 'o-1' } });
  expect(await new Queue('other', { store }).job(id)).toBeUndefined();
  expect(await queue.job('memory-99')).toBeUndefined();
});

it('redrives dead jobs of its own, by id or all', async () => {
  await queue.enqueueMany(['o-1', 'o-2'].map((orderId) => ({ name: 'send', payload: { orderId } })));
  for (const job of store.jobs) job.state = 'dead';
  expect(await queue.redrive(['memory-1'], { actor: 'test' })).toMatchObject({ done: 1 });
  expect(await queue.redrive('allDead', { actor: 'test' })).toMatchObject({ done: 1 });
  expect(await queue.counts()).toMatchObject({ ready: 2, dead: 0 });
});

it('knows the payload of each job name at compile time', async () => {
  expectTypeOf(queue.enqueue<'send'>)
    .parameter(1)
    .toEqualTypeOf<{ orderId: string }>();
  // @ts-expect-error an unknown name
  const unknownName = () => queue.enqueue('sned', { orderId: 'o-1' });
  // @ts-expect-error a wrong payload
  const wrongPayload = () => queue.enqueue('send', { order: 'o-1' });
  const anyName = new Queue<Record<string, { orderId: string }>>('any', { store });
  await anyName.enqueue('whatever', { orderId: 'o-1' });
  expect([unknownName, wrongPayload]).toHaveLength(2);
});

it.each([
  [{ codec: 'json' }, /^codec is "json", but must be .*encode and decode/],
  [{ codec: null }, /^codec is null/],
  [{ codec: { encode: () => '' } }, /^codec is an object/],
  [{ schemas: 5 }, /^schemas is 5, but must be an object/],
  [{ schemas: [] }, /^schemas is .*Array/],
  [{ defaults: 5 }, /defaults of the queue "mail" cannot work: they must be an object/],
  [{ defaults: [] }, /they must be an object with some of priority/],
])('refuses %o where the queue is made, before a payload meets it', (options, message) => {
  expect(() => new Queue('mail', { store, ...(options as object) })).toThrow(message);
});

it('refuses a name that no store could keep', () => {
  for (const name of ['', 'x'.repeat(101), '\ud800', undefined, 5]) {
    expect(() => new Queue(name as string, { store })).toThrow(/^queue name is .* must be a text of 1 to 100 bytes/);
  }
});
