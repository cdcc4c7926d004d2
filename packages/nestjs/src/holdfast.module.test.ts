import { type JobStore, UnrecoverableError } from '@holdfast/contract';
import { type Job, type JobContext, Queue, type WorkerEvents } from '@holdfast/core';
import { Injectable, Module } from '@nestjs/common';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp, startAppWith } from '../test/start-app.js';
import { temporaryDirectory } from '../test/temporary-directory.js';
import { logStore } from './connection/log-store.js';
import { InjectQueue, InjectStore } from './decorators/inject.decorators.js';
import { OnJobEvent } from './decorators/on-job-event.decorator.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken } from './holdfast.tokens.js';
import { type HoldfastOptionsFactory } from './holdfast-options.js';

interface MailJobs {
  send: { to: string };
  fail: { message: string };
  refuse: null;
}

const QUICK_RETRY = { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' } as const;
const registerMail = () =>
  HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 2, backoff: QUICK_RETRY } });

@Injectable()
class Postage {
  readonly cents = 80;
}

@Processor('mail', { concurrency: 4 })
class Mailer {
  constructor(
    private readonly postage: Postage,
    private readonly log: EventLog,
  ) {}

  @Process('send')
  send({ payload }: Job<MailJobs['send']>, { attempt }: JobContext) {
    return { to: payload.to, cents: this.postage.cents, attempt };
  }

  @Process('fail')
  async fail({ payload }: Job<MailJobs['fail']>) {
    throw new RangeError(payload.message);
  }

  @OnJobEvent('completed')
  onCompleted({ job }: WorkerEvents['completed']) {
    this.log.add(`completed ${job.name}`);
  }

  @OnJobEvent('failed')
  onFailed({ job, error }: WorkerEvents['failed']) {
    this.log.add(`failed ${job.name} ${job.attempt}: ${error}`);
  }

  @OnJobEvent('dead')
  onDead({ job }: WorkerEvents['dead']) {
    this.log.add(`dead ${job.name} ${job.attempt}`);
  }
}

@Injectable()
class Office {
  constructor(
    @InjectQueue('mail') readonly mail: Queue<MailJobs>,
    @InjectStore() readonly store: JobStore,
  ) {}
}

@Module({ imports: [registerMail()], providers: [Mailer, Postage] })
class MailerModule {}

@Module({ imports: [registerMail()], providers: [Office] })
class OfficeModule {}

describe('a producer and a processor', () => {
  it('share a queue that both their modules register: the job completes with what the method returns', async () => {
    const { app, log } = await startApp({ imports: [OfficeModule, MailerModule] });
    const { mail } = app.get(Office);
    const { id } = await mail.enqueue('send', { to: 'ada' });
    await log.seen('completed send');
    const result = { to: 'ada', cents: 80, attempt: 1 };
    expect(await mail.job(id)).toMatchObject({ state: 'completed', payload: { to: 'ada' }, result });
    expect(app.get(getQueueToken('mail'))).toBe(mail);
    expect((await app.get(Office).store.queues()).map(({ name }) => name)).toEqual(['mail']);
  });

  it('that fails tries again and ends dead, with every error kept', async () => {
    const { app, log } = await startApp({ imports: [OfficeModule, MailerModule] });
    const { mail } = app.get(Office);
    const { id } = await mail.enqueue('fail', { message: 'no such street' });
    await log.seen('dead fail 2');
    expect(log.entries).toEqual(['failed fail 1: RangeError: no such street', 'dead fail 2']);
    const job = await mail.job(id);
    expect(job).toMatchObject({ state: 'dead', attempts: 2 });
    const errors = job?.attemptLog.map(({ error }) => [error?.class, error?.message]);
    expect(errors).toEqual(Array(2).fill(['RangeError', 'no such street']));
  });
});

@Processor('mail')
class Refuser {
  constructor(private readonly log: EventLog) {}

  @Process('refuse')
  refuse() {
    throw new UnrecoverableError('the address does not exist');
  }

  @OnJobEvent('dead')
  onDead({ job }: WorkerEvents['dead']) {
    this.log.add(`refused ${job.name} ${job.attempt}`);
  }
}

@Module({ imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers: [Refuser] })
class RefuserModule {}

it('classes in several modules become one worker, and UnrecoverableError makes a job dead at once', async () => {
  const { app, log } = await startApp({ imports: [RefuserModule, OfficeModule, MailerModule] });
  const { mail } = app.get(Office);
  await mail.enqueue('refuse', null);
  await mail.enqueue('send', { to: 'ada' });
  await Promise.all([log.seen('refused refuse 1'), log.seen('completed send')]);
  expect(await mail.counts()).toMatchObject({ dead: 1, completed: 1 });
});

@Processor('mail')
class Sorter {
  constructor(private readonly log: EventLog) {}

  @Process('send')
  @Process('resend')
  send({ name }: Job) {
    this.log.add(`sorted ${name}`);
  }

  @Process()
  rest({ name }: Job) {
    this.log.add(`rest ${name}`);
  }
}

it('a method may handle several names, and one all the others', async () => {
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Sorter] });
  const mail: Queue = app.get(getQueueToken('mail'));
  for (const name of ['send', 'resend', 'fax']) await mail.enqueue(name, null);
  await Promise.all([log.seen('sorted send'), log.seen('sorted resend'), log.seen('rest fax')]);
});

it('a method may hear of several events', async () => {
  @Processor('mail')
  class Chronicler {
    constructor(private readonly log: EventLog) {}

    @OnJobEvent('failed')
    @OnJobEvent('dead')
    onFailure({ job }: WorkerEvents['dead']) {
      this.log.add(`failure ${job.attempt}`);
    }
  }
  const { app, log } = await startApp({ imports: [MailerModule, registerMail()], providers: [Chronicler] });
  await app.get(getQueueToken('mail'), { strict: false }).enqueue('fail', { message: 'no such street' });
  await log.seen('failure 2');
  expect(log.entries.filter((entry) => entry.startsWith('failure'))).toEqual(['failure 1', 'failure 2']);
});

it('jobs of names that nobody handles wait', async () => {
  const { app, log } = await startApp({ imports: [OfficeModule, MailerModule] });
  const mail: Queue = app.get(getQueueToken('mail'));
  await mail.enqueue('fax', null);
  await mail.enqueue('send', { to: 'ada' });
  await log.seen('completed send');
  expect(await mail.counts()).toMatchObject({ ready: 1, completed: 1 });
});

it('a processor that two modules provide handles each job once', async () => {
  @Module({ imports: [registerMail()], providers: [Sorter] })
  class Again {}
  const { app, log } = await startApp({ imports: [registerMail(), Again], providers: [Sorter] });
  const mail: Queue = app.get(getQueueToken('mail'));
  await mail.enqueue('send', null);
  await mail.enqueue('fax', null);
  await log.seen('rest fax');
  expect(log.entries.toSorted()).toEqual(['rest fax', 'sorted send']);
});

describe('forRootAsync', () => {
  const DIRECTORY = 'DIRECTORY';

  @Injectable()
  class Options implements HoldfastOptionsFactory {
    readonly directory = temporaryDirectory();
    async createHoldfastOptions() {
      return { store: logStore({ directory: this.directory }) };
    }
  }

  @Module({ providers: [Options], exports: [Options] })
  class OptionsModule {}

  const directoryModule = (directory: string) => ({
    module: class DirectoryModule {},
    providers: [{ provide: DIRECTORY, useValue: directory }],
    exports: [DIRECTORY],
  });

  const ways = {
    useFactory: () =>
      HoldfastModule.forRootAsync({
        imports: [directoryModule(temporaryDirectory())],
        inject: [DIRECTORY],
        useFactory: async (directory: string) => ({ store: logStore({ directory }) }),
      }),
    useClass: () => HoldfastModule.forRootAsync({ useClass: Options }),
    useExisting: () => HoldfastModule.forRootAsync({ imports: [OptionsModule], useExisting: Options }),
  };

  it.each(Object.entries(ways))('opens the store with options from %s', async (_, root) => {
    const { app, log } = await startAppWith(root(), { imports: [OfficeModule, MailerModule] }, '');
    await app.get(Office).mail.enqueue('send', { to: 'ada' });
    await log.seen('completed send');
  });
});
