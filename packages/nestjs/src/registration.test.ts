import { type JobStore } from '@holdfast/contract';
import { type Job, openLogStore, type PayloadCodec, Queue } from '@holdfast/core';
import { Inject, Injectable, Module } from '@nestjs/common';
import { LazyModuleLoader } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp, startAppWith } from '../test/start-app.js';
import { temporaryDirectory } from '../test/temporary-directory.js';
import { logStore } from './connection/log-store.js';
import { InjectQueue, InjectStore } from './decorators/inject.decorators.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken, getStoreToken, HOLDFAST_OPTIONS } from './holdfast.tokens.js';
import { type HoldfastOptions, type QueueSettingsFactory } from './holdfast-options.js';
import { HoldfastWorkers } from './processor/holdfast-workers.js';

interface MailJobs {
  send: { to: string };
}

@Processor('mail')
class Mailer {
  constructor(protected readonly log: EventLog) {}

  @Process('send')
  send({ queue, payload }: Job<MailJobs['send']>) {
    this.log.add(`${queue} to ${payload.to}`);
  }
}

/** What an application reads from its environment. */
@Injectable()
class Config {
  readonly mailQueue = 'eu-mail';
  readonly jobs = 3;
  readonly attempts = 7;
  readonly runsJobs = false;
}

@Module({ providers: [Config], exports: [Config] })
class ConfigModule {}

describe('several stores', () => {
  it('are connections with names: each queue is kept in its own, and worked off there', async () => {
    @Processor('mail', { connection: 'reports' })
    class ReportMailer {
      constructor(private readonly log: EventLog) {}

      @Process('send')
      send({ payload }: Job<MailJobs['send']>) {
        this.log.add(`report to ${payload.to}`);
      }
    }

    @Injectable()
    class Office {
      constructor(
        @InjectQueue('mail') readonly mail: Queue<MailJobs>,
        @InjectQueue('mail', 'reports') readonly reports: Queue<MailJobs>,
        @InjectStore() readonly store: JobStore,
        @InjectStore('reports') readonly reportStore: JobStore,
      ) {}
    }

    const directory = temporaryDirectory();
    const { app, log } = await startApp({
      imports: [
        HoldfastModule.forRootAsync({ connection: 'reports', useFactory: () => ({ store: logStore({ directory }) }) }),
        HoldfastModule.registerQueue({ name: 'mail' }),
        HoldfastModule.registerQueue({ name: 'mail', connection: 'reports' }),
      ],
      providers: [Mailer, ReportMailer, Office],
    });
    const { mail, reports, store, reportStore } = app.get(Office);
    expect(app.get(getQueueToken('mail', 'reports'))).toBe(reports);
    expect(app.get(getStoreToken('reports'))).toBe(reportStore);
    const [one, other] = await Promise.all([
      mail.enqueue('send', { to: 'ada' }),
      reports.enqueue('send', { to: 'bob' }),
    ]);
    await Promise.all([log.seen('mail to ada'), log.seen('report to bob')]);
    expect([await store.job(other.id), await reportStore.job(one.id)]).toEqual([undefined, undefined]);
    await app.close();
    const again = await openLogStore({ directory });
    expect(await again.job(other.id)).toMatchObject({ payload: '{"to":"bob"}' });
    await again.close();
  });
});

describe('registerQueueAsync', () => {
  @Injectable()
  class Settings implements QueueSettingsFactory {
    constructor(private readonly config: Config) {}

    createQueueSettings() {
      return { defaults: { maxAttempts: this.config.attempts }, queueName: this.config.mailQueue };
    }
  }

  @Module({ imports: [ConfigModule], providers: [Settings], exports: [Settings] })
  class SettingsModule {}

  const ways = {
    useFactory: () =>
      HoldfastModule.registerQueueAsync({
        name: 'mail',
        imports: [ConfigModule],
        inject: [Config],
        useFactory: async (config: Config) => ({
          defaults: { maxAttempts: config.attempts },
          queueName: config.mailQueue,
        }),
      }),
    useClass: () => HoldfastModule.registerQueueAsync({ name: 'mail', imports: [ConfigModule], useClass: Settings }),
    useExisting: () =>
      HoldfastModule.registerQueueAsync({ name: 'mail', imports: [SettingsModule], useExisting: Settings }),
    extraProviders: () =>
      HoldfastModule.registerQueueAsync({ name: 'mail', extraProviders: [Config], useClass: Settings }),
  };

  it.each(Object.entries(ways))('takes settings from %s, for every module that registers the queue', async (_, way) => {
    @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers: [Mailer] })
    class Elsewhere {}
    const { app, log } = await startApp({ imports: [Elsewhere, way()] });
    const mail = app.select(Elsewhere).get(getQueueToken<MailJobs>('mail'));
    expect(mail.name).toBe('eu-mail');
    const { id } = await mail.enqueue('send', { to: 'ada' });
    await log.seen('eu-mail to ada');
    expect(await mail.job(id)).toMatchObject({ maxAttempts: 7 });
  });

  it('that disagrees with another registration fails the boot, naming both modules', async () => {
    @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 2 } })] })
    class Orders {}
    @Module({ imports: [ways.useFactory()] })
    class Marketing {}
    const directory = temporaryDirectory();
    const boot = startApp({ imports: [Orders, Marketing] }, { directory });
    await expect(boot).rejects.toThrow(
      expect.objectContaining({ code: 'QUEUE_CONFLICT', places: ['Orders', 'Marketing'] }),
    );
    await (await openLogStore({ directory })).close();
  });
});

it('a queue that three modules register, one of them imported twice, is one queue with one worker', async () => {
  const registration = () => HoldfastModule.registerQueue({ name: 'mail', defaults: { priority: 1, maxAttempts: 2 } });
  @Module({ imports: [registration()], providers: [Mailer] })
  class One {}
  @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 2, priority: 1 } })] })
  class Two {}
  @Module({ imports: [registration(), One] })
  class Three {}
  const { app, log } = await startApp({ imports: [One, Two, Three, One] });
  const queues = [One, Two, Three].map((module) => app.select(module).get(getQueueToken('mail')));
  expect(new Set(queues).size).toBe(1);
  expect(app.get(HoldfastWorkers).list()).toHaveLength(1);
  await queues[0]!.enqueue('send', { to: 'ada' });
  await log.seen('mail to ada');
});

describe('a module that is loaded later', () => {
  it('may register queues that are known, and others', async () => {
    @Module({
      imports: [
        HoldfastModule.registerQueue({ name: 'mail' }, { name: 'fax', defaults: { maxAttempts: 9 } }),
        HoldfastModule.registerQueueAsync({
          name: 'telex',
          useFactory: async () => ({ defaults: { maxAttempts: 7 } }),
        }),
      ],
    })
    class Late {}
    const { app } = await startApp({ imports: [HoldfastModule.registerQueue({ name: 'mail' })] });
    const late = await app.get(LazyModuleLoader).load(() => Late);
    expect(late.get(getQueueToken('mail'), { strict: false })).toBe(app.get(getQueueToken('mail')));
    for (const [name, maxAttempts] of [
      ['fax', 9],
      ['telex', 7],
    ] as const) {
      const queue: Queue = late.get(getQueueToken(name), { strict: false });
      const { id } = await queue.enqueue('send', null);
      expect(await queue.job(id)).toMatchObject({ maxAttempts });
    }
  });

  it.each([
    ['contradicts', { defaults: { maxAttempts: 2 } }],
    ['adds what the queue cannot take up any more', {}],
  ])('and %s is refused, and the others go on', async (_, settings) => {
    @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', ...settings })] })
    class Early {}
    @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 3 } })] })
    class Late {}
    const { app } = await startApp({ imports: [Early] });
    const loading = app.get(LazyModuleLoader).load(() => Late);
    await expect(loading).rejects.toThrow(expect.objectContaining({ places: ['Early', 'Late'] }));
    await app.select(Early).get(getQueueToken('mail')).enqueue('send', null);
  });
});

it('a global queue is injectable where nobody registers it, beside one that is not', async () => {
  @Injectable()
  class Office {
    constructor(@InjectQueue('mail') readonly mail: Queue) {}
  }
  @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', isGlobal: true }, { name: 'fax' })] })
  class Queues {}
  @Module({ providers: [Office] })
  class OfficeModule {}
  const { app } = await startApp({ imports: [Queues, OfficeModule] });
  expect(app.get(Office).mail).toBeInstanceOf(Queue);
  expect(app.select(Queues).get(getQueueToken('fax'))).toBeInstanceOf(Queue);
});

it('a global queue that disagrees with another registration names the two modules, not all that see it', async () => {
  @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', isGlobal: true, defaults: { maxAttempts: 3 } })] })
  class Queues {}
  @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 2 } })] })
  class Orders {}
  const boot = startApp({ imports: [Queues, Orders] });
  await expect(boot).rejects.toThrow(expect.objectContaining({ code: 'QUEUE_CONFLICT', places: ['Queues', 'Orders'] }));
});

it('two names for one queue of the store fail the boot', async () => {
  const boot = startApp({
    imports: [HoldfastModule.registerQueue({ name: 'mail' }, { name: 'post', queueName: 'mail' })],
    providers: [Mailer],
  });
  await expect(boot).rejects.toThrow(/queueName of the queue "mail".*"post"/);
});

it('forRootAsync gives its factory what extraProviders bring', async () => {
  const directory = temporaryDirectory();
  const root = HoldfastModule.forRootAsync({
    extraProviders: [{ provide: 'DIRECTORY', useValue: directory }],
    inject: ['DIRECTORY'],
    useFactory: (given: string) => ({ store: logStore({ directory: given }) }),
  });
  const { app } = await startAppWith(root, { imports: [HoldfastModule.registerQueue({ name: 'mail' })] }, directory);
  expect((await app.get<JobStore>(getStoreToken()).storage()).location).toBe(directory);
});

it('what forRoot was given can be injected everywhere, by forRoot and by forRootAsync', async () => {
  @Injectable()
  class Office {
    constructor(@Inject(HOLDFAST_OPTIONS) readonly options: HoldfastOptions) {}
  }
  @Module({ providers: [Office] })
  class OfficeModule {}
  const options = () => ({ store: logStore({ directory: temporaryDirectory() }), graceMs: 1234 });
  for (const root of [HoldfastModule.forRoot(options()), HoldfastModule.forRootAsync({ useFactory: options })]) {
    const { app } = await startAppWith(root, { imports: [OfficeModule] }, '');
    expect(app.get(Office).options.graceMs).toBe(1234);
  }
});

describe('a processor', () => {
  it('gets queue, concurrency and whether it starts from what its module imports', async () => {
    @Processor({
      inject: [Config, { token: 'ABSENT', optional: true }],
      useFactory: async (config: Config, absent?: unknown) => ({
        queue: absent === undefined ? 'mail' : 'none',
        concurrency: config.jobs,
        autoStart: config.runsJobs,
      }),
    })
    class ConfiguredMailer extends Mailer {}
    @Module({
      imports: [ConfigModule, HoldfastModule.registerQueue({ name: 'mail' })],
      providers: [ConfiguredMailer],
    })
    class MailModule {}
    const { app, log } = await startApp({ imports: [MailModule] });
    const workers = app.get(HoldfastWorkers);
    const mail = app.select(MailModule).get(getQueueToken<MailJobs>('mail'));
    await mail.enqueue('send', { to: 'ada' });
    expect(workers.list()).toEqual([
      expect.objectContaining({ queue: 'mail', connection: 'default', names: ['send'], state: 'idle', running: 0 }),
    ]);
    expect(await mail.counts()).toMatchObject({ ready: 1 });
    workers.start('mail');
    await log.seen('mail to ada');
    expect(workers.list()).toMatchObject([{ state: 'working' }]);
    await app.close();
    expect(workers.list()).toMatchObject([{ state: 'closed' }]);
  });

  it('that is kept back can be started before the application is up, and all at once', async () => {
    @Processor('mail', { autoStart: false })
    class PatientMailer extends Mailer {}
    @Injectable()
    class Starter {
      constructor(workers: HoldfastWorkers) {
        workers.start();
      }
    }
    const { app, log } = await startApp({
      imports: [HoldfastModule.registerQueue({ name: 'mail' })],
      providers: [PatientMailer, Starter],
    });
    await app.get(getQueueToken<MailJobs>('mail')).enqueue('send', { to: 'ada' });
    await log.seen('mail to ada');
    expect(() => app.get(HoldfastWorkers).start('male')).toThrow(/queue to start is "male".*"mail"/);
  });

  it('that is kept back for good lets the application end', async () => {
    @Processor('mail', { autoStart: false })
    class PatientMailer extends Mailer {}
    const { app } = await startApp({
      imports: [HoldfastModule.registerQueue({ name: 'mail' })],
      providers: [PatientMailer],
    });
    await app.close();
  });

  it.each([
    ['whose factory throws', { useFactory: () => Promise.reject(new RangeError('no such region')) }, /no such region/],
    [
      'whose factory names no queue',
      { useFactory: () => ({}) as { queue: string } },
      /queue of @Processor on Mailless/,
    ],
  ])('%s fails the boot', async (_, factory, message) => {
    @Processor(factory)
    class Mailless extends Mailer {}
    const directory = temporaryDirectory();
    const boot = startApp(
      { imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers: [Mailless] },
      { directory },
    );
    await expect(boot).rejects.toThrow(message);
    await (await openLogStore({ directory })).close();
  });
});

it('a class may say for itself what it injects, under @Processor too', async () => {
  @Processor('mail')
  @Injectable()
  class TokenMailer extends Mailer {
    constructor(
      log: EventLog,
      @Inject('GREETING') private readonly greeting: string,
    ) {
      super(log);
    }

    @Process('send')
    override send(job: Job<MailJobs['send']>) {
      this.log.add(`${this.greeting} ${job.payload.to}`);
    }
  }
  const { app, log } = await startApp({
    imports: [HoldfastModule.registerQueue({ name: 'mail' })],
    providers: [TokenMailer, { provide: 'GREETING', useValue: 'dear' }],
  });
  expect(app.get(HoldfastWorkers).list()).toMatchObject([{ names: ['send'] }]);
  await app.get(getQueueToken<MailJobs>('mail')).enqueue('send', { to: 'ada' });
  await log.seen('dear ada');
});

it('a queue that a test overrides is worked off with the codec and under the name that its factory gives', async () => {
  const codec: PayloadCodec = {
    encode: (value) => `x${JSON.stringify(value)}`,
    decode: (kept) => JSON.parse(String(kept).slice(1)),
  };
  const registered = HoldfastModule.registerQueueAsync({
    name: 'mail',
    useFactory: () => ({ codec, queueName: 'eu-mail' }),
  });
  const root = HoldfastModule.forRoot({ store: logStore({ directory: temporaryDirectory() }) });
  const builder = Test.createTestingModule({ imports: [root, registered], providers: [Mailer, EventLog] });
  const module = await builder
    .overrideProvider(getQueueToken('mail'))
    .useValue({ enqueue: () => undefined })
    .compile();
  onTestFinished(() => module.close());
  await module.init();
  const queue = new Queue<MailJobs>('eu-mail', { store: module.get(getStoreToken()), codec });
  await queue.waitFor((await queue.enqueue('send', { to: 'ada' })).id);
  expect(module.get(EventLog).entries).toEqual(['eu-mail to ada']);
});
