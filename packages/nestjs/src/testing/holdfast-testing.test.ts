import 'reflect-metadata';
import { type JobStore } from '@holdfast/contract';
import { type Job, type JobContext, openLogStore, Queue, richCodec } from '@holdfast/core';
import { settled } from '@holdfast/testing';
import { Injectable, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EventLog } from '../../test/event-log.js';
import { temporaryDirectory } from '../../test/temporary-directory.js';
import { logStore } from '../connection/log-store.js';
import { InjectQueue } from '../decorators/inject.decorators.js';
import { Process } from '../decorators/process.decorator.js';
import { Processor } from '../decorators/processor.decorator.js';
import { HoldfastHealth } from '../health/holdfast-health.js';
import { HoldfastModule } from '../holdfast.module.js';
import { getQueueToken, getStoreToken } from '../holdfast.tokens.js';
import { HoldfastWorkers } from '../processor/holdfast-workers.js';
import { HoldfastTesting, HoldfastTestingModule, StillWorkingError } from './index.js';

const MINUTE_MS = 60_000;

@Injectable()
class Server {
  downFor = 0;
}

@Processor('mail', { concurrency: 1 })
class Mailer {
  constructor(
    @InjectQueue('mail') private readonly mail: Queue,
    private readonly server: Server,
    private readonly log: EventLog,
  ) {}

  @Process('send')
  async send({ payload, attempt }: Job) {
    this.log.add(`sending ${payload}, attempt ${attempt}`);
    // What a handler asks of the world outside.
    await new Promise((answer) => setTimeout(answer, 5));
    if (this.server.downFor-- > 0) throw new Error('no answer');
    return `sent ${payload}`;
  }

  @Process('announce')
  async announce({ payload }: Job<string[]>) {
    for (const name of payload) await this.mail.enqueue('send', name);
  }

  @Process('deaf')
  deaf() {
    return new Promise(() => {});
  }

  @Process('attentive')
  async attentive(_job: Job, { signal }: JobContext) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    this.log.add(`heard ${signal.reason.reason}`);
    signal.throwIfAborted();
  }
}

const registerMail = () => HoldfastModule.registerQueue({ name: 'mail' });

/** An application that would keep its jobs in a directory, and the line that changes that. */
async function startTested(
  line: NonNullable<ModuleMetadata['imports']>[number] = HoldfastTestingModule,
  { imports = [registerMail()], providers = [Mailer, Server] }: ModuleMetadata = {},
) {
  const directory = temporaryDirectory();
  const log = new EventLog();
  const root = HoldfastModule.forRoot({ store: logStore({ directory }), graceMs: 7200_000 });
  const module = await Test.createTestingModule({
    imports: [root, ...imports, line],
    providers: [...providers, { provide: EventLog, useValue: log }],
  }).compile();
  module.useLogger(false);
  onTestFinished(() => module.close());
  await module.init();
  const jobs = module.get(HoldfastTesting);
  return { module, jobs, log, directory, mail: module.get(getQueueToken('mail')) };
}

describe('HoldfastTestingModule', () => {
  it('opens no store of the application', async () => {
    const { module, directory, mail } = await startTested();
    const { id } = await mail.enqueue('send', 'a');
    expect(await mail.job(id)).toMatchObject({ state: 'ready', payload: 'a' });
    const store = await openLogStore({ directory });
    onTestFinished(() => store.close());
    expect(await store.queues()).toEqual([]);
    expect(module.get<JobStore>(getStoreToken()).capabilities.kind).toBe('memory');
  });

  it('stands for the stores of all connections', async () => {
    const reports = HoldfastModule.forRoot({
      connection: 'reports',
      store: logStore({ directory: '/nowhere/at/all' }),
    });
    @Processor('monthly', { connection: 'reports' })
    class Reports {
      @Process()
      render() {}
    }
    const { module, jobs } = await startTested(HoldfastTestingModule, {
      imports: [registerMail(), reports, HoldfastModule.registerQueue({ name: 'monthly', connection: 'reports' })],
      providers: [Mailer, Server, Reports],
    });
    await module.get(getQueueToken('monthly', 'reports')).enqueue('may', null);
    await module.get(getQueueToken('mail')).enqueue('send', 'a');
    expect((await jobs.drain()).runs.map(({ queue }) => queue).toSorted()).toEqual(['mail', 'monthly']);
  });

  it('keeps a job that is enqueued in a transaction of the application, whose database it does not know', async () => {
    const { module, jobs, log } = await startTested();
    const mail = module.get<Queue<Record<string, unknown>, object>>(getQueueToken('mail'));
    await mail.enqueue('send', 'a', { transaction: { run: async () => [] } });
    jobs.expectEnqueued({ name: 'send', payload: 'a' }, { times: 1 });
    expect(await jobs.drain()).toMatchObject({ completed: 1 });
    expect(log.entries).toEqual(['sending a, attempt 1']);
  });

  it('works on nothing by itself, and shows the time of its own clock', async () => {
    const { module, mail, log, jobs } = await startTested(
      HoldfastTestingModule.forRoot({ now: new Date('2030-01-01') }),
    );
    await mail.enqueue('send', 'a');
    for (let turn = 0; turn < 100; turn++) await settled();
    expect(log.entries).toEqual([]);
    expect(jobs.now).toBe(Date.parse('2030-01-01'));
    expect(await module.get(HoldfastHealth).check({ oldestReadyMsMax: MINUTE_MS })).toMatchObject({ status: 'up' });
  });

  it('says what to do where the application was never started', async () => {
    const module = await Test.createTestingModule({
      imports: [HoldfastModule.forRoot({ store: logStore({ directory: 'unused' }) }), HoldfastTestingModule],
    }).compile();
    onTestFinished(() => module.close());
    await expect(module.get(HoldfastTesting).drain()).rejects.toThrow('await app.init()');
  });
});

describe('drain', () => {
  it('works on what is ready, and on what that enqueues, and tells what was done', async () => {
    const { mail, jobs, log } = await startTested();
    await mail.enqueue('announce', ['a', 'b']);
    expect(await jobs.drain()).toMatchObject({
      completed: 3,
      failed: 0,
      dead: 0,
      runs: [{ name: 'announce', queue: 'mail', attempt: 1, outcome: 'completed' }, { name: 'send' }, { name: 'send' }],
    });
    expect(log.entries).toEqual(['sending a, attempt 1', 'sending b, attempt 1']);
    expect(await jobs.drain()).toMatchObject({ completed: 0, runs: [] });
  });

  it('leaves what waits for its time, for a retry, for a resume, or for a handler', async () => {
    const { module, mail, jobs } = await startTested();
    module.get(Server).downFor = 1;
    await mail.enqueue('send', 'soon', { delayMs: 1 });
    await mail.enqueue('send', 'fails');
    await mail.enqueue('unknown', null);
    const done = await jobs.drain();
    expect(done).toMatchObject({ completed: 0, failed: 1, runs: [{ outcome: 'failed', attempt: 1 }] });
    expect(done.runs[0]?.error).toEqual(new Error('no answer'));
    await mail.pause({ actor: 'ada' });
    await mail.enqueue('send', 'paused');
    expect(await jobs.drain()).toMatchObject({ runs: [] });
    expect(await mail.counts()).toMatchObject({ scheduled: 2, ready: 2, leased: 0 });
    await mail.resume({ actor: 'ada' });
    expect(await jobs.drain()).toMatchObject({ completed: 1 });
  });

  it('leaves the jobs of workers that are not started', async () => {
    @Processor('mail', { autoStart: false })
    class Later {
      @Process()
      any() {}
    }
    const { module, mail, jobs } = await startTested(HoldfastTestingModule, {
      imports: [registerMail()],
      providers: [Later],
    });
    await mail.enqueue('send', 'a');
    expect(await jobs.drain()).toMatchObject({ completed: 0 });
    module.get(HoldfastWorkers).start('mail');
    expect(await jobs.drain()).toMatchObject({ completed: 1 });
  });

  it('names the jobs whose handlers do not end', async () => {
    const { mail, jobs } = await startTested();
    const { id } = await mail.enqueue('attentive', null);
    const error = await jobs.drain({ timeoutMs: 30 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(StillWorkingError);
    expect(String(error)).toMatch(`${id} (mail/attentive)`);
    expect(String(error)).toMatch('advance(ms)');
  });

  it('works while the test has other timers in place', async () => {
    const { mail, jobs } = await startTested();
    vi.useFakeTimers({ toFake: ['setImmediate', 'setTimeout', 'Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    await mail.enqueue('announce', []);
    expect(await jobs.drain()).toMatchObject({ completed: 1 });
  });
});

describe('advance', () => {
  it('works on each job when it is due: a delay of six hours passes at once', async () => {
    const { mail, jobs, log } = await startTested();
    const { id } = await mail.enqueue('send', 'a', { delayMs: 360 * MINUTE_MS });
    expect(await jobs.advance(360 * MINUTE_MS - 1)).toMatchObject({ runs: [] });
    const startedAtMs = jobs.now;
    expect(await jobs.advance(1)).toMatchObject({ completed: 1 });
    expect((await mail.job(id))?.attemptLog).toMatchObject([{ startedAtMs: startedAtMs + 1 }]);
    await jobs.advance(360 * MINUTE_MS);
    expect(log.entries).toEqual(['sending a, attempt 1']);
  });

  it('retries until a job is dead', async () => {
    const { module, mail, jobs } = await startTested();
    module.get(Server).downFor = 3;
    await mail.enqueue('send', 'a', {
      maxAttempts: 3,
      backoff: { kind: 'fixed', baseMs: MINUTE_MS, jitter: 'none' },
    });
    expect(await jobs.drain()).toMatchObject({ failed: 1 });
    expect(await jobs.advance(MINUTE_MS)).toMatchObject({ failed: 1, dead: 0 });
    expect(await jobs.advance(MINUTE_MS)).toMatchObject({ failed: 0, dead: 1, runs: [{ attempt: 3 }] });
    expect(jobs.runs.map(({ outcome }) => outcome)).toEqual(['failed', 'failed', 'dead']);
  });

  it('takes no time for what handlers do outside', async () => {
    const { mail, jobs } = await startTested();
    const { id } = await mail.enqueue('send', 'a', { timeoutMs: 1, delayMs: 10 });
    expect(await jobs.advance(MINUTE_MS)).toMatchObject({ completed: 1 });
    const [attempt] = (await mail.job(id))!.attemptLog;
    expect(attempt).toMatchObject({ outcome: 'completed', endedAtMs: attempt!.startedAtMs });
  });

  it('lets handlers hear that their time is over', async () => {
    const { mail, jobs, log } = await startTested();
    await mail.enqueue('attentive', null, { timeoutMs: 90 * MINUTE_MS });
    expect(await jobs.advance(89 * MINUTE_MS, { patienceMs: 10 })).toMatchObject({ runs: [] });
    expect(log.entries).toEqual([]);
    expect(await jobs.advance(MINUTE_MS)).toMatchObject({ failed: 1 });
    expect(log.entries).toEqual(['heard timeout']);
  });

  it('refuses a time that is none', async () => {
    const { jobs } = await startTested();
    await expect(jobs.advance(-1)).rejects.toThrow('ms is -1');
  });
});

describe('expectEnqueued', () => {
  it('finds jobs by what is said of them', async () => {
    const { mail, jobs } = await startTested();
    const { id } = await mail.enqueue('send', { to: 'ada', lines: [1, 2], more: true }, { delayMs: 5, maxAttempts: 2 });
    await mail.enqueue('send', { to: 'bob' });
    expect(jobs.expectEnqueued({ queue: 'mail', name: 'send', payload: { to: 'ada' } })).toMatchObject([
      {
        id,
        queue: 'mail',
        name: 'send',
        payload: { to: 'ada', lines: [1, 2], more: true },
        delayMs: 5,
        maxAttempts: 2,
      },
    ]);
    jobs.expectEnqueued({ payload: { to: expect.stringMatching('b') }, delayMs: undefined }, { times: 1 });
    jobs.expectNotEnqueued({ payload: { to: 'ada', lines: [1] } });
    jobs.expectNotEnqueued({ delayMs: 6 });
    expect(jobs.enqueued({ name: 'send' })).toHaveLength(2);
  });

  it('shows what was enqueued instead', async () => {
    const { mail, jobs } = await startTested();
    expect(() => jobs.expectEnqueued({ name: 'send' })).toThrow('Nothing was enqueued at all.');
    await mail.enqueue('send', { to: 'ada' });
    expect(() => jobs.expectEnqueued({ payload: { to: 'bob' } })).toThrow(
      "A job like { payload: { to: 'bob' } } should have been enqueued, but 0 were. Enqueued:\n" +
        "  { queue: 'mail', name: 'send', payload: { to: 'ada' } }",
    );
    expect(() => jobs.expectEnqueued({ name: 'send' }, { times: 2 })).toThrow('2 jobs like');
    expect(() => jobs.expectNotEnqueued()).toThrow('No job like {} should have been enqueued, but 1 were.');
  });

  it('knows names, codecs and duplicates of a queue', async () => {
    const queue = HoldfastModule.registerQueue({ name: 'mail', queueName: 'mail-eu', codec: richCodec });
    const { mail, jobs } = await startTested(HoldfastTestingModule, { imports: [queue], providers: [] });
    const at = new Date(0);
    await mail.enqueueMany([
      { name: 'send', payload: { at }, dedupe: { key: 'one' } },
      { name: 'send', payload: { at }, dedupe: { key: 'one' } },
    ]);
    jobs.expectEnqueued({ queue: 'mail', payload: { at } }, { times: 1 });
    jobs.expectEnqueued({ payload: { at: expect.any(Date) } });
  });

  it('can begin anew', async () => {
    const { mail, jobs } = await startTested();
    await mail.enqueue('send', 'a');
    await jobs.drain();
    await mail.enqueue('send', 'b', { delayMs: 1 });
    await mail.pause({ actor: 'ada' });
    await jobs.reset();
    jobs.expectNotEnqueued();
    expect(jobs.runs).toEqual([]);
    expect(Object.values(await mail.counts())).toEqual([0, 0, 0, 0, 0, 0]);
    await mail.enqueue('send', 'c');
    expect(await jobs.drain()).toMatchObject({ completed: 1 });
  });
});

describe('inline', () => {
  it('has done a job, and what that enqueued, when enqueue resolves', async () => {
    const { mail, log, jobs } = await startTested(HoldfastTestingModule.forRoot({ inline: true }));
    const { id } = await mail.enqueue('announce', ['a', 'b']);
    expect(log.entries).toEqual(['sending a, attempt 1', 'sending b, attempt 1']);
    expect(await mail.job(id)).toMatchObject({ state: 'completed' });
    expect(jobs.runs).toHaveLength(3);
  });

  it('leaves delays and retries to advance, and failures to the test', async () => {
    const { module, mail, jobs } = await startTested(HoldfastTestingModule.forRoot({ inline: true }));
    module.get(Server).downFor = 1;
    await mail.enqueue('send', 'a');
    expect(jobs.runs).toMatchObject([{ outcome: 'failed', error: new Error('no answer') }]);
    expect(await jobs.advance(MINUTE_MS)).toMatchObject({ completed: 1 });
  });
});

describe('the end of the application', () => {
  it('does not wait for the grace in real time, though a handler hears nothing', async () => {
    const { module, mail, jobs } = await startTested();
    await mail.enqueue('deaf', null);
    await expect(jobs.drain({ timeoutMs: 10 })).rejects.toThrow(StillWorkingError);
    await module.close();
    expect(jobs.runs).toMatchObject([{ name: 'deaf', outcome: 'released' }]);
  });

  it('works on nothing that still waits', async () => {
    const { module, mail, log } = await startTested();
    await mail.enqueue('send', 'a');
    await module.close();
    expect(log.entries).toEqual([]);
  });
});
