/** What users of other queues reported, as tests: each begins with the name under which the case is known here. */
import 'reflect-metadata';
import { type JobStore, StoreFailedError } from '@holdfast/contract';
import { type Job, type JobContext, Queue, richCodec, type WorkerEvents } from '@holdfast/core';
import { memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { Controller, Injectable, Module, type ModuleMetadata, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { logStore } from '../src/connection/log-store.js';
import { InjectQueue } from '../src/decorators/inject.decorators.js';
import { OnJobEvent } from '../src/decorators/on-job-event.decorator.js';
import { Process } from '../src/decorators/process.decorator.js';
import { Processor } from '../src/decorators/processor.decorator.js';
import { HoldfastModule } from '../src/holdfast.module.js';
import { getQueueToken, getStoreToken } from '../src/holdfast.tokens.js';
import { type HoldfastOptions } from '../src/holdfast-options.js';
import { HoldfastWorkers } from '../src/processor/holdfast-workers.js';
import { HoldfastTesting, HoldfastTestingModule } from '../src/testing/index.js';
import { EventLog } from './event-log.js';
import { startApp } from './start-app.js';
import { temporaryDirectory } from './temporary-directory.js';

const SECOND_MS = 1000;
const HOUR_MS = 3600 * SECOND_MS;
const LEASE_MS = 60 * SECOND_MS;
/** How long the tests let a handler wait for its signal before they let time pass. */
const BRIEFLY = { patienceMs: 20 };

const registerMail = () => HoldfastModule.registerQueue({ name: 'mail' });

async function start(
  { imports = [registerMail()], providers = [] }: ModuleMetadata,
  options: Partial<HoldfastOptions> = {},
) {
  const log = new EventLog();
  const logs = {
    module: class Logs {},
    global: true,
    providers: [{ provide: EventLog, useValue: log }],
    exports: [EventLog],
  };
  const root = HoldfastModule.forRoot({ store: logStore({ directory: 'unused' }), ...options });
  const module = await Test.createTestingModule({
    imports: [root, logs, ...imports, HoldfastTestingModule],
    providers,
  }).compile();
  module.useLogger(false);
  onTestFinished(() => module.close());
  await module.init();
  return {
    module,
    log,
    jobs: module.get(HoldfastTesting),
    mail: module.get(getQueueToken('mail')),
    store: module.get<JobStore>(getStoreToken()),
  };
}

@Processor('mail', { leaseMs: LEASE_MS, concurrency: 1 })
class Mailer {
  constructor(private readonly log: EventLog) {}

  /** Hears its signal, says why, and gives up. */
  @Process('attentive')
  async attentive(_job: Job, { signal }: JobContext) {
    this.log.add('attentive began');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    this.log.add(`heard ${signal.reason.reason}`);
    signal.throwIfAborted();
  }

  @Process('failing')
  async failing(_job: Job, { signal }: JobContext) {
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new RangeError('at the very end');
  }

  /** Hears nothing, and answers when the test lets it. */
  @Process('deaf')
  async deaf({ attempt }: Job) {
    this.log.add(`deaf began attempt ${attempt}`);
    await this.log.seen(`let attempt ${attempt} answer`);
    return 'too late';
  }

  @Process('send')
  send({ payload }: Job) {
    this.log.add(`sent ${payload}`);
    return payload;
  }
}

const work = { providers: [Mailer] };

describe('T1: a handler that blocks the event loop', () => {
  it('for four leases, beside an idle slot, starts once, completes, and is told of', async () => {
    const leaseMs = 200;
    @Processor('mail', { leaseMs, concurrency: 2 })
    class Blocking {
      constructor(private readonly log: EventLog) {}

      @Process('spin')
      spin() {
        this.log.add('spun');
        const startedAtMs = performance.now();
        while (performance.now() - startedAtMs < 4 * leaseMs);
      }

      @OnJobEvent('blocked')
      blocked({ blockedMs }: WorkerEvents['blocked']) {
        this.log.add(blockedMs >= 3 * leaseMs ? 'told that it was blocked' : `blocked for ${blockedMs} ms`);
      }
    }
    const { app, log } = await startApp({ imports: [registerMail()], providers: [Blocking] });
    const mail = app.get(getQueueToken('mail'));
    const { id } = await mail.enqueue('spin', null);
    await mail.waitFor(id);
    expect(await mail.job(id)).toMatchObject({
      state: 'completed',
      attempts: 1,
      attemptLog: [{ outcome: 'completed' }],
    });
    expect(await app.get<JobStore>(getStoreToken()).leaseExpiries()).toEqual([]);
    await vi.waitFor(() => expect(log.entries).toEqual(['spun', 'told that it was blocked']));
  });
});

describe('T11: close while a job later throws', () => {
  it('the attempt has failed and waits for its retry: it is not left as running', async () => {
    const { module, mail, jobs, store } = await start(work);
    const { id } = await mail.enqueue('failing', null);
    await jobs.advance(0, BRIEFLY);
    await module.close();
    (store as ReturnType<typeof memoryStore>).restart('closed');
    expect(await store.job(id)).toMatchObject({ state: 'scheduled', attempts: 1, attemptLog: [{ outcome: 'failed' }] });
    expect(await store.leases(10)).toEqual([]);
  });
});

describe('T12: the drain lasts longer than the lease', () => {
  it('the lease is extended until the grace is over, and the job starts once', async () => {
    const { module, mail, jobs, log, store } = await start(work, { graceMs: 3 * LEASE_MS });
    const { id } = await mail.enqueue('attentive', null);
    await jobs.advance(0, BRIEFLY);
    const startedAtMs = jobs.now;
    await module.close();
    expect(jobs.now - startedAtMs).toBeGreaterThanOrEqual(3 * LEASE_MS);
    expect(log.entries).toEqual(['attentive began', 'heard shutdown']);
    (store as ReturnType<typeof memoryStore>).restart('closed');
    expect(await store.leaseExpiries()).toEqual([]);
    expect(await store.job(id)).toMatchObject({ state: 'ready', attempts: 0 });
  });
});

describe('T14: odd lifecycles', () => {
  it('an empty queue, twice at a time and once more, before the start, and at once after it: each close resolves', async () => {
    const { module } = await start(work);
    await Promise.all([module.close(), module.close()]);
    await module.close();
    const other = await Test.createTestingModule({
      imports: [HoldfastModule.forRoot({ store: logStore({ directory: temporaryDirectory() }) }), registerMail()],
      providers: [Mailer, EventLog],
    }).compile();
    await other.close();
    const started = await start(work);
    await started.module.close();
  });
});

describe('T16: a handler that hears no signal', () => {
  it('keeps close no longer than the grace; its job is claimable at once, and its late result is not kept', async () => {
    const { module, mail, jobs, log, store } = await start(work, { graceMs: 5 * SECOND_MS });
    const { id } = await mail.enqueue('deaf', null, { timeoutMs: 6 * HOUR_MS });
    await jobs.advance(0, BRIEFLY);
    const closedAtMs = jobs.now;
    await module.close();
    expect(jobs.now - closedAtMs).toBeLessThan(8 * SECOND_MS);
    log.add('let attempt 1 answer');
    (store as ReturnType<typeof memoryStore>).restart('closed');
    expect(await store.job(id)).toMatchObject({ state: 'ready', attempts: 0 });
    const [job] = await store.claim({ queues: ['mail'], limit: 1, leaseMs: LEASE_MS, worker: 'the next process' });
    expect(job).toMatchObject({ id, attempt: 1 });
  });
});

describe('T17: a promise that never settles, with a timeout', () => {
  it('the attempt fails in time, the slot goes to the next job, and no second copy runs while the first has the lease', async () => {
    const { mail, jobs, log, store, module } = await start(work);
    const backoff = { kind: 'fixed', baseMs: SECOND_MS, jitter: 'none' } as const;
    const { id } = await mail.enqueue('deaf', null, { timeoutMs: 2 * SECOND_MS, maxAttempts: 2, backoff });
    await mail.enqueue('send', 'next');
    await jobs.advance(2 * SECOND_MS, BRIEFLY);
    expect(log.entries).toEqual(['deaf began attempt 1']);
    expect(await store.leases(10)).toHaveLength(1);
    await jobs.advance(SECOND_MS / 2, BRIEFLY);
    expect(log.entries).toEqual(['deaf began attempt 1', 'sent next']);
    expect(await mail.job(id)).toMatchObject({
      state: 'scheduled',
      attemptLog: [{ error: { class: 'JobTimeoutError' } }],
    });
    expect(module.get(HoldfastWorkers).list()).toMatchObject([{ running: 0, runaways: [{ id, attempt: 1 }] }]);
    log.add('let attempt 1 answer');
    await jobs.advance(SECOND_MS, BRIEFLY);
    expect(log.entries.at(-1)).toBe('deaf began attempt 2');
    log.add('let attempt 2 answer');
    expect(await jobs.drain()).toMatchObject({ completed: 1 });
    expect(await mail.job(id)).toMatchObject({ state: 'completed', result: 'too late', attempts: 2 });
  });
});

describe('T18: cancel from outside', () => {
  it('a running job hears it, is cancelled and not retried; waiting ones never run; a finished one says that it is', async () => {
    const { mail, jobs, log, store } = await start(work);
    const by = { actor: 'ada', reason: 'sold out' };
    const running = await mail.enqueue('attentive', null);
    const waiting = await mail.enqueue('send', 'waiting');
    const delayed = await mail.enqueue('send', 'delayed', { delayMs: HOUR_MS });
    await jobs.advance(0, BRIEFLY);
    const ids = [running.id, waiting.id, delayed.id];
    expect(await store.cancel({ ids }, by)).toEqual({ matched: 3, done: 3, skipped: {} });
    await jobs.advance(LEASE_MS / 3, BRIEFLY);
    expect(log.entries).toEqual(['attentive began', 'heard cancelled']);
    await jobs.advance(24 * HOUR_MS);
    expect(log.entries).toHaveLength(2);
    await mail.enqueue('send', 'done');
    const { runs } = await jobs.drain();
    const finished = [...ids.slice(0, 1), runs[0]!.id];
    expect(await store.cancel({ ids: finished }, by)).toMatchObject({ done: 0, skipped: { completed: 1 } });
  });
});

describe('T19: a delay of six hours, with leases of a minute', () => {
  it('reaches a handler once, and at its time', async () => {
    const { mail, jobs, log } = await start(work);
    const { id } = await mail.enqueue('send', 'at six', { delayMs: 6 * HOUR_MS });
    const dueAtMs = jobs.now + 6 * HOUR_MS;
    await jobs.advance(24 * HOUR_MS - 1);
    expect(log.entries).toEqual(['sent at six']);
    expect((await mail.job(id))?.attemptLog).toMatchObject([{ startedAtMs: dueAtMs, outcome: 'completed' }]);
  });
});

class Money {
  readonly cents = 5;
}

describe('T29: values that JSON would change', () => {
  const values: [string, unknown][] = [
    ['10n', 10n],
    ['a date', new Date(0)],
    ['undefined in a list', [undefined]],
    ['NaN', Number.NaN],
    ['a map', new Map([[1, 2]])],
    ['a set', new Set([1])],
    ['bytes', new Uint8Array([1])],
    ['an instance', new Money()],
  ];

  it.each(values)('%s is refused by enqueue, which names the path, and nothing is stored', async (_, value) => {
    const { mail } = await start({});
    await expect(mail.enqueue('send', { items: [{ value }] })).rejects.toThrow(/payload\.items\[0\]\.value/);
    expect(await mail.counts()).toMatchObject({ ready: 0 });
  });

  it.each(values.slice(0, -1))('%s comes back as it was where the queue has the rich codec', async (_, value) => {
    const imports = [HoldfastModule.registerQueue({ name: 'mail', codec: richCodec })];
    const { mail } = await start({ imports });
    const { id } = await mail.enqueue('send', { value });
    expect((await mail.job(id))?.payload).toEqual({ value });
  });

  it('the largest whole number that JSON keeps, and the next, come back as they were', async () => {
    const { mail } = await start({});
    const payload = [Number.MAX_SAFE_INTEGER, 2 ** 53 + 2];
    const { id } = await mail.enqueue('send', payload);
    expect((await mail.job(id))?.payload).toEqual(payload);
  });
});

describe('T30: the answer to a second enqueue under one key', () => {
  const dedupe = { key: 'order-1' };

  it('names the job that is there and its state, while that is scheduled, ready or leased', async () => {
    const { mail, jobs } = await start(work);
    const scheduled = await mail.enqueue('attentive', null, { dedupe, delayMs: SECOND_MS });
    expect(scheduled).toMatchObject({ outcome: 'created', state: 'scheduled' });
    const again = () => mail.enqueue('attentive', null, { dedupe });
    expect(await again()).toEqual({ id: scheduled.id, outcome: 'duplicate', state: 'scheduled' });
    await mail.runNow([scheduled.id], { actor: 'ada' });
    expect(await again()).toEqual({ id: scheduled.id, outcome: 'duplicate', state: 'ready' });
    await jobs.advance(0, BRIEFLY);
    expect(await again()).toEqual({ id: scheduled.id, outcome: 'duplicate', state: 'leased' });
    expect(await mail.enqueue('attentive', 'new', { dedupe: { ...dedupe, onConflict: 'replace' } })).toMatchObject({
      outcome: 'duplicate',
    });
    jobs.expectEnqueued({ name: 'attentive' }, { times: 1 });
  });

  it('is a new job where the other one is over, though it is kept', async () => {
    const { mail, jobs } = await start(work);
    const first = await mail.enqueue('send', 'a', { dedupe });
    await jobs.drain();
    const second = await mail.enqueue('unknown', null, { dedupe, maxAttempts: 1 });
    expect(second).toMatchObject({ outcome: 'created', state: 'ready' });
    expect(second.id).not.toBe(first.id);
    await mail.cancel([second.id], { actor: 'ada' });
    expect(await mail.enqueue('send', 'c', { dedupe })).toMatchObject({ outcome: 'created' });
    expect(await mail.job(first.id)).toMatchObject({ state: 'completed' });
  });

  it('says that it replaced a job that waits, which keeps its id', async () => {
    const { mail, jobs } = await start(work);
    const { id } = await mail.enqueue('send', 'old', { dedupe, delayMs: HOUR_MS });
    const replacing = { dedupe: { ...dedupe, onConflict: 'replace' } } as const;
    expect(await mail.enqueue('send', 'new', replacing)).toEqual({ id, outcome: 'replaced', state: 'ready' });
    await jobs.drain();
    expect(await mail.job(id)).toMatchObject({ state: 'completed', result: 'new' });
  });
});

describe('X4: a job name that this process does not know', () => {
  it('a thousand wait without a failure, a warning tells of them, and a process that knows the name does them all', async () => {
    const old = await start(work);
    await old.mail.enqueueMany(Array.from({ length: 1000 }, (_, index) => ({ name: 'new', payload: index })));
    expect(await old.jobs.drain()).toMatchObject({ runs: [] });
    expect(await old.mail.counts()).toMatchObject({ ready: 1000, scheduled: 0, dead: 0 });
    expect(old.module.get(HoldfastWorkers).list()).toMatchObject([{ unhandled: ['new'] }]);

    @Processor('mail')
    class NewMailer {
      @Process('new')
      send() {}
    }
    const next = await start({ providers: [NewMailer] });
    await next.mail.enqueueMany(Array.from({ length: 1000 }, (_, index) => ({ name: 'new', payload: index })));
    expect(await next.jobs.drain()).toMatchObject({ completed: 1000, failed: 0, dead: 0 });
  });
});

describe('X5: registration', () => {
  const handlersIn = (names: readonly string[]) =>
    names.map((name) => {
      @Processor('mail')
      class Part {
        constructor(private readonly log: EventLog) {}

        @Process(name)
        handle() {
          this.log.add(name);
        }
      }
      return Part;
    });

  it('a queue that three modules register, with handlers in five classes, has one worker that calls each once', async () => {
    const names = ['one', 'two', 'three', 'four', 'five'];
    const classes = handlersIn(names);
    @Module({ imports: [registerMail()], providers: [classes[0]!, classes[1]!] })
    class First {}
    @Module({ imports: [registerMail(), First], providers: [classes[2]!] })
    class Second {}
    const dynamic = { module: class Third {}, imports: [registerMail(), Second], providers: classes.slice(3) };
    const { jobs, mail, log, module } = await start({ imports: [registerMail(), First, Second, dynamic, dynamic] });
    await mail.enqueueMany(names.map((name) => ({ name, payload: null })));
    expect(await jobs.drain()).toMatchObject({ completed: 5 });
    expect(module.get(HoldfastWorkers).list()).toMatchObject([{ queue: 'mail', names: expect.arrayContaining(names) }]);
    expect(log.entries.toSorted()).toEqual(names.toSorted());
  });

  it('two handlers for one name fail the boot, which names both', async () => {
    @Processor('mail')
    class Twin {
      @Process('send')
      post() {}
    }
    await expect(start({ providers: [Mailer, Twin] })).rejects.toThrow(
      expect.objectContaining({ message: expect.stringMatching(/Mailer\.send.*Twin\.post|Twin\.post.*Mailer\.send/s) }),
    );
  });
});

describe('X7: a store that cannot be had', () => {
  it('ends the boot in the time that is set, naming the host', async () => {
    const root = HoldfastModule.forRoot({
      store: { location: 'postgres://db.example:5432', open: () => new Promise<JobStore>(() => {}) },
      openTimeoutMs: 50,
    });
    const boot = Test.createTestingModule({ imports: [root] }).compile();
    await expect(boot).rejects.toThrow(/db\.example:5432.*50 ms/);
  });

  it('lets a route that enqueues answer an error instead of waiting for it', async () => {
    @Controller('orders')
    @Injectable()
    class OrdersController {
      constructor(@InjectQueue('mail') private readonly mail: Queue) {}

      @Post()
      place() {
        return this.mail.enqueue('send', 'receipt');
      }
    }
    const clock = new VirtualClock();
    const store = memoryStore({ clock, random: new SeededRandom(1) });
    store.enqueue = async () => {
      throw new StoreFailedError('unknown', 'The host db.example does not answer.');
    };
    const root = HoldfastModule.forRoot({ store: { open: async () => store } });
    const module = await Test.createTestingModule({
      imports: [root, registerMail()],
      controllers: [OrdersController],
    }).compile();
    const app = module.createNestApplication({ logger: false });
    onTestFinished(() => app.close());
    await app.init();
    await request(app.getHttpServer()).post('/orders').expect(500);
  });
});
