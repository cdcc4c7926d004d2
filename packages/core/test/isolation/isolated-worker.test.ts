import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createWorker, type LogStore, openLogStore, Queue, type StartWorkerOptions, type Worker } from '@holdfast/core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scratchDirectory } from '../thread/scratch-directory.js';

const ALL = new URL('handlers/all.mjs', import.meta.url);
const BY = { actor: 'olga' };
/** A child of a machine that is busy needs a while to start. */
const LONG = { timeout: 60_000 };

interface Rig {
  readonly store: LogStore;
  readonly queue: Queue;
  readonly worker: Worker;
  readonly errors: unknown[];
  /** Enqueues a job, waits until its attempt has ended, and shows it. */
  run(name: string, payload?: unknown, options?: object): ReturnType<typeof attempted>;
}

async function attempted(queue: Queue, worker: Worker, id: string) {
  await new Promise<void>((resolve) => {
    for (const name of ['completed', 'failed', 'dead', 'released', 'cancelled', 'leaseLost'] as const) {
      worker.on(name, ({ job }) => {
        if (job.id === id) resolve();
      });
    }
  });
  const job = await queue.job(id);
  return { ...job!, last: job!.attemptLog.at(-1)! };
}

async function rigOf(isolation: 'thread' | 'process', options: Partial<StartWorkerOptions> = {}): Promise<Rig> {
  const store = await openLogStore({ directory: scratchDirectory() });
  const queue = new Queue('work', { store });
  const worker = createWorker({ store, queue: 'work', isolation, file: ALL, concurrency: 2, graceMs: 0, ...options });
  const errors: unknown[] = [];
  worker.on('error', ({ error }) => errors.push(error));
  worker.start();
  onTestFinished(async () => {
    await worker.close();
    await store.close();
  });
  return {
    ...{ store, queue, worker, errors },
    async run(name, payload = null, jobOptions = {}) {
      // Nobody sees a second attempt before the first was looked at, however slow the machine.
      const backoff = { kind: 'fixed', baseMs: 60_000 } as const;
      const { id } = await queue.enqueue(name, payload, { backoff, ...jobOptions });
      return attempted(queue, worker, id);
    },
  };
}

async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.each(['thread', 'process'] as const)('handlers in a %s', LONG, (isolation) => {
  it('run outside, one after the other in the same one, and give results', async () => {
    const { run, errors } = await rigOf(isolation);
    expect(await run('double', 21)).toMatchObject({ state: 'completed', result: 42 });
    const pids = [(await run('where')).result, (await run('where')).result] as { pid: number }[];
    expect(pids[0]).toEqual(pids[1]);
    expect(pids[0]!.pid === process.pid).toBe(isolation === 'thread');
    expect(errors).toEqual([]);
  });

  it('tell progress and lines, extend, and know their attempt', async () => {
    const { run, worker } = await rigOf(isolation);
    const job = await run('tell');
    expect(job).toMatchObject({ state: 'completed', progress: 1, result: { attempt: 1, worker: worker.name } });
    expect(job.last.lines?.map(({ text }) => text)).toEqual(['first', 'second']);
    const bad = await run('badProgress', null, { maxAttempts: 1 });
    expect(bad.last.error).toMatchObject({ class: 'PayloadNotJsonError' });
  });

  it('end as what they throw says, with class, message, stack and cause', async () => {
    const { run } = await rigOf(isolation);
    const failed = await run('typeError');
    expect(failed).toMatchObject({ state: 'scheduled', attempts: 1 });
    expect(failed.last.error).toMatchObject({ class: 'TypeError', message: 'no such thing (caused by too far)' });
    expect(failed.last.error?.stack).toMatch(/all\.mjs.*caused by RangeError: too far/s);
    expect(await run('unrecoverable')).toMatchObject({
      state: 'dead',
      last: { error: { class: 'UnrecoverableError' } },
    });
    const later = await run('retryAfter');
    expect(later).toMatchObject({ state: 'scheduled', attempts: 1, last: { error: { message: 'later' } } });
    expect(later.runAtMs - later.updatedAtMs).toBe(3_600_000);
    expect(await run('snooze')).toMatchObject({ state: 'scheduled', attempts: 0 });
    expect(await run('cancel')).toMatchObject({ state: 'cancelled', last: { error: { message: 'not needed' } } });
    expect(await run('nobody')).toMatchObject({
      state: 'scheduled',
      last: { error: { class: 'InvalidArgumentError' } },
    });
  });

  it('that end their world cost their own attempt alone, and say how', async () => {
    const { run } = await rigOf(isolation);
    const exited = await run('exit', 3);
    expect(exited).toMatchObject({ state: 'scheduled', attempts: 1, last: { outcome: 'failed' } });
    expect(exited.last.error).toMatchObject({ class: 'IsolateEndedError' });
    expect(exited.last.error?.message).toContain(`The ${isolation} of the handler ended with exit code 3`);
    const uncaught = await run('uncaught');
    expect(uncaught.last.error?.message).toContain('exit code 1');
    expect(uncaught.last.error?.stack).toContain('caused by RangeError: nobody caught this');
    expect(await run('double', 2)).toMatchObject({ state: 'completed', result: 4 });
  });

  it('that post whatever they like are not heard, and end nobody', async () => {
    const { run, errors } = await rigOf(isolation);
    expect(await run('postJunk')).toMatchObject({ state: 'completed', result: 'done' });
    expect(errors).toEqual([]);
  });

  it('that take off the listeners of their world cost the next job nothing', async () => {
    const { run } = await rigOf(isolation, { concurrency: 1, timeoutMs: 10_000 });
    const { pid } = (await run('where')).result as { pid: number };
    for (const event of ['message', null]) {
      expect(await run('takeOffListeners', event)).toMatchObject({ state: 'completed' });
      expect(await run('where')).toMatchObject({ state: 'completed', result: { pid } });
    }
    expect(await run('tell')).toMatchObject({ state: 'completed' });
  });

  it('that block for ever are killed when their time is over, and their slot goes on', async () => {
    const { run, worker } = await rigOf(isolation, { concurrency: 1 });
    const runaways: unknown[] = [];
    worker.on('runaway', (event) => runaways.push(event));
    const blocked = await run('spin', null, { timeoutMs: 1000 });
    expect(blocked.last.error).toMatchObject({ class: 'JobTimeoutError' });
    expect(await run('double', 1)).toMatchObject({ state: 'completed', result: 2 });
    expect([runaways, worker.runaways()]).toEqual([[], []]);
  });

  it('that block for ever are killed when their job is cancelled', async () => {
    const { queue, worker, run } = await rigOf(isolation, { concurrency: 1 });
    const { id } = await queue.enqueue('tellAndSpin', null);
    await until(async () => (await queue.job(id))?.attemptLog[0]?.lines !== undefined);
    await queue.cancel([id], BY);
    await until(() => worker.running === 0);
    expect(await queue.job(id)).toMatchObject({ state: 'cancelled' });
    expect(await run('double', 1)).toMatchObject({ state: 'completed', result: 2 });
  });

  it('hear the signal, and are handed back when the worker closes', async () => {
    const { queue, worker } = await rigOf(isolation);
    const { id } = await queue.enqueue('listen', null);
    const { id: deaf } = await queue.enqueue('spin', null);
    await until(async () => (await queue.job(id))?.attemptLog[0]?.lines !== undefined);
    await until(async () => (await queue.job(deaf))?.state === 'leased');
    await worker.close();
    for (const job of [id, deaf]) expect(await queue.job(job)).toMatchObject({ state: 'ready', attempts: 0 });
  });

  it('are at most as many as may run at once', async () => {
    const { run, worker } = await rigOf(isolation, { concurrency: 2 });
    let most = 0;
    worker.on('completed', () => {
      most = Math.max(most, worker.running);
    });
    const jobs = await Promise.all(Array.from({ length: 8 }, () => run('where')));
    expect(new Set(jobs.map(({ result }) => (result as { pid: number }).pid)).size).toBeLessThanOrEqual(2);
    expect(most).toBeLessThanOrEqual(2);
  });

  it('of a file that does not load fail with its error, each time anew', async () => {
    for (const [file, error] of [
      ['broken.mjs', { class: 'SyntaxError', message: 'this module does not load' }],
      ['missing.mjs', { message: expect.stringContaining('missing.mjs') }],
    ] as const) {
      const { run } = await rigOf(isolation, { file: new URL(`handlers/${file}`, import.meta.url) });
      for (let attempt = 0; attempt < 2; attempt++) {
        expect(await run('any')).toMatchObject({ state: 'scheduled', last: { error } });
      }
    }
  });

  it('may be one for all names, in a CommonJS module, and close what they have open', async () => {
    const { run } = await rigOf(isolation, { file: new URL('handlers/one.cjs', import.meta.url), concurrency: 1 });
    expect([(await run('a')).result, (await run('b')).result]).toEqual(['a 1', 'b 2']);
    const closing = await rigOf(isolation, { file: new URL('handlers/closing.mjs', import.meta.url) });
    const file = join(scratchDirectory(), 'closed');
    await closing.run('any', file);
    await closing.worker.close();
    expect(readFileSync(file, 'utf8')).toBe('closed');
  });

  it('complete also where their result cannot cross', async () => {
    const { run, errors } = await rigOf(isolation);
    const job = await run('function');
    expect(job).toMatchObject({ state: 'completed' });
    expect(job.result).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ code: 'PAYLOAD_UNSUPPORTED', path: 'result' })]);
    expect(String(errors[0])).toContain('could not be cloned. Convert it first.');
  });

  it('for some names leave the others to the worker', async () => {
    const handlers = { here: () => process.pid };
    const { run, queue } = await rigOf(isolation, { names: ['double'], handlers });
    expect(await run('here')).toMatchObject({ result: process.pid });
    expect(await run('double', 4)).toMatchObject({ result: 8 });
    const { id } = await queue.enqueue('where', null);
    await run('here');
    expect((await queue.job(id))?.state).toBe('ready');
  });
});

describe('handlers in a thread', LONG, () => {
  it('complete though their result is so deep that only their own stack holds it', async () => {
    const { run, errors } = await rigOf('thread');
    const job = await run('deep', 5000);
    expect(job).toMatchObject({ state: 'completed' });
    expect(job.result).toBeUndefined();
    expect(errors).toEqual([expect.objectContaining({ code: 'PAYLOAD_UNSUPPORTED', path: 'result' })]);
  });

  it('end at once where what they are sent cannot be read', async () => {
    const { run } = await rigOf('thread');
    const { last } = await run('unreadable');
    expect(last.error).toMatchObject({ class: 'IsolateEndedError' });
    expect(last.error?.message).toContain('caused by it cannot be read');
  });
});

describe('handlers in a process', LONG, () => {
  it.each(['SIGKILL', 'SIGSEGV'])('killed by %s cost their own attempt alone', async (signal) => {
    const { run } = await rigOf('process');
    const killed = await run('signal', signal);
    expect(killed).toMatchObject({ state: 'scheduled', attempts: 1, last: { outcome: 'failed' } });
    expect(killed.last.error?.message).toContain(`ended by the signal ${signal}`);
    expect(await run('double', 2)).toMatchObject({ state: 'completed', result: 4 });
  });
});

describe('options', () => {
  it.each([
    [{ isolation: 'thread', file: './relative.js' }, 'file is'],
    [{ isolation: 'thread' }, 'file is'],
    [{ isolation: 'fiber', file: ALL }, 'isolation is'],
    [{ file: ALL }, 'isolation is'],
    [{ isolation: 'thread', file: ALL, handler: () => {} }, 'handler is'],
  ])('%o are refused', async (options, message) => {
    const store = { capabilities: {} } as unknown as LogStore; // never asked
    const given = { store, queue: 'work', ...options } as unknown as StartWorkerOptions; // wrong on purpose
    expect(() => createWorker(given)).toThrow(message);
  });
});
