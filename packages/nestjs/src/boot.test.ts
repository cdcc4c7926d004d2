import { readdirSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { type JobStore, StoreLockedError } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { Injectable, Module } from '@nestjs/common';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startApp, startAppWith } from '../test/start-app.js';
import { temporaryDirectory } from '../test/temporary-directory.js';
import { logStore } from './connection/log-store.js';
import { InjectQueue } from './decorators/inject.decorators.js';
import { OnJobEvent } from './decorators/on-job-event.decorator.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { type HoldfastOptions } from './holdfast-options.js';
import { WorkerHost } from './processor/worker-host.js';

@Processor('mail', { concurrency: 2 })
class Mailer {
  @Process('send')
  send() {}
}

@Processor('mail')
class OtherMailer {
  @Process('send')
  dispatch() {}
}

@Processor('mail', { concurrency: 3 })
class BusyMailer {
  @Process('fax')
  fax() {}
}

@Processor('mail')
class Idle {}

@Processor('mail')
class Host extends WorkerHost {
  process() {}
}

@Processor('mail')
class OtherHost extends WorkerHost {
  process() {}
}

@Injectable()
class Undecorated {
  @Process('fax')
  fax() {}
}

@Injectable()
class Listening {
  @OnJobEvent('dead')
  onDead() {}
}

@Injectable()
class Homeless extends WorkerHost {
  process() {}
}

@Injectable()
class Producer {
  constructor(@InjectQueue('mail') readonly queue: unknown) {}
}

@Processor('mail', { concurrency: Number('ten') })
class Uncountable {
  @Process('telex')
  telex() {}
}

@Processor('mail', { isolation: 'thread', file: new URL(import.meta.url), names: ['fax', 'send'] })
class InThread {}

/** For boots that end while the store opens: a directory would be made when the test is over. */
const rootInMemory = () =>
  HoldfastModule.forRoot({
    store: { open: async () => memoryStore({ clock: new VirtualClock(), random: new SeededRandom(1) }) },
  });

type ProviderClass = new (...args: never[]) => unknown;

describe('the boot fails, saying what to change, when', () => {
  const mistakes: [string, ProviderClass[], string, RegExp][] = [
    [
      'two methods handle one name',
      [Mailer, OtherMailer],
      'DUPLICATE_HANDLER',
      /Mailer\.send and OtherMailer\.dispatch both/,
    ],
    [
      'two classes want another concurrency',
      [Mailer, BusyMailer],
      'INVALID_ARGUMENT',
      /2 in Mailer but 3 in BusyMailer/,
    ],
    [
      'the concurrency of a class is no number',
      [Uncountable, Host],
      'INVALID_ARGUMENT',
      /"mail".*processors: Uncountable\. concurrency is NaN.*whole number from 1/,
    ],
    [
      'a method wants jobs that a file handles',
      [InThread, Mailer],
      'DUPLICATE_HANDLER',
      /Mailer\.send and the file of InThread both handle "send"/,
    ],
    ['a processor has no methods', [Idle], 'NO_HANDLER', /Idle.*@Process/],
    ['a class has handlers, no @Processor', [Undecorated], 'NO_HANDLER', /^Undecorated .*method fax.*@Processor/],
    ['a class has hooks, no @Processor', [Listening], 'NO_HANDLER', /^Listening .*method onDead.*@Processor/],
    ['a host has no @Processor', [Homeless], 'NO_HANDLER', /^Homeless .*WorkerHost.*@Processor/],
    [
      'two hosts want all jobs',
      [Host, OtherHost],
      'DUPLICATE_HANDLER',
      /Host\.process and OtherHost\.process both.*all other/,
    ],
  ];

  it.each(mistakes)('%s', async (_, providers, code, message) => {
    const directory = temporaryDirectory();
    const boot = startApp({ imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers }, { directory });
    await expect(boot).rejects.toThrow(expect.objectContaining({ code, message: expect.stringMatching(message) }));
    // The store was closed again: the directory is free.
    await (await openLogStore({ directory })).close();
  });

  it('a processor names a queue that nobody registers', async () => {
    const boot = startApp({ imports: [HoldfastModule.registerQueue({ name: 'male' })], providers: [Mailer] });
    await expect(boot).rejects.toThrow(expect.objectContaining({ code: 'QUEUE_NOT_REGISTERED', queue: 'mail' }));
    await expect(boot).rejects.toThrow(/Mailer.*registered: "male".*registerQueue\({ name: 'mail' }\)/);
  });

  it('two modules register a queue with different defaults', async () => {
    @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 3 } })] })
    class Orders {}
    @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail' })] })
    class Reports {}
    @Module({ imports: [HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 4 } })] })
    class Marketing {}
    const directory = temporaryDirectory();
    const boot = startApp({ imports: [Orders, Reports, Marketing] }, { directory });
    await expect(boot).rejects.toThrow(/"mail".*defaults: in Orders and in Marketing/);
    await (await openLogStore({ directory })).close();
  });

  it('a queue is injected that its module does not register', async () => {
    const queue = HoldfastModule.registerQueue({ name: 'fax' });
    const boot = startAppWith(rootInMemory(), { imports: [queue], providers: [Producer] }, '');
    await expect(boot).rejects.toThrow(/Producer \(\?\).*"HoldfastModule\.registerQueue\({ name: 'mail' }\)"/);
  });

  it('nobody says where the jobs are kept', async () => {
    const boot = startAppWith(HoldfastModule.registerQueue({ name: 'mail' }), {}, temporaryDirectory());
    await expect(boot).rejects.toThrow(/"HoldfastModule\.forRoot\({ store }\)"/);
  });

  it.each([
    ['options without a store', {}],
    ['a directory for a store', { store: 'data/queue' }],
  ])('forRoot is given %s', async (_, options) => {
    // What a program in plain JavaScript can pass.
    const root = HoldfastModule.forRoot(options as HoldfastOptions);
    await expect(startAppWith(root, {}, temporaryDirectory())).rejects.toThrow(/store of HoldfastModule.*logStore/);
  });

  it('there are two roots, and leaves both directories alone', async () => {
    const [first, second] = [temporaryDirectory(), temporaryDirectory()];
    const root = HoldfastModule.forRoot({ store: logStore({ directory: first }) });
    const other = HoldfastModule.forRoot({ store: logStore({ directory: second }) });
    const boot = startAppWith(root, { imports: [other] }, first);
    await expect(boot).rejects.toThrow(expect.objectContaining({ code: 'SEVERAL_ROOTS' }));
    expect([readdirSync(first), readdirSync(second)]).toEqual([[], []]);
  });

  it('two roots have one connection name', async () => {
    const named = () =>
      HoldfastModule.forRoot({ connection: 'reports', store: logStore({ directory: temporaryDirectory() }) });
    const boot = startAppWith(rootInMemory(), { imports: [named(), named()] }, '');
    await expect(boot).rejects.toThrow(/2 times for the connection "reports"/);
  });

  it('a processor works on a connection that nobody opens', async () => {
    @Processor('mail', { connection: 'reports' })
    class ReportMailer extends Mailer {}
    const boot = startApp({ imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers: [ReportMailer] });
    await expect(boot).rejects.toThrow(expect.objectContaining({ code: 'CONNECTION_NOT_FOUND' }));
    await expect(boot).rejects.toThrow(/ReportMailer.*"reports".*it has: "default".*connection: 'reports', store/);
  });

  it('the store does not open in time, naming where it should be; what opens later is closed', async () => {
    const directory = temporaryDirectory();
    let open = (_: JobStore) => {};
    const opening = new Promise<JobStore>((resolve) => {
      open = resolve;
    });
    const store = { location: 'db.example:5432', open: () => opening };
    const boot = startAppWith(HoldfastModule.forRoot({ store, openTimeoutMs: 20 }), {}, directory);
    await expect(boot).rejects.toThrow(/^db\.example:5432 could not be opened: .* within 20 ms.*openTimeoutMs/);
    const late = await openLogStore({ directory });
    open(late);
    await expect.poll(() => late.health().status).toBe('closed');
  });

  it('openTimeoutMs is no time', async () => {
    const root = HoldfastModule.forRoot({ store: logStore({ directory: temporaryDirectory() }), openTimeoutMs: 0 });
    await expect(startAppWith(root, {}, '')).rejects.toThrow(/openTimeoutMs is 0/);
  });

  it('lockWaitMs is no time', async () => {
    const root = HoldfastModule.forRoot({ store: logStore({ directory: temporaryDirectory() }), lockWaitMs: -1 });
    await expect(startAppWith(root, {}, '')).rejects.toThrow(/lockWaitMs is -1/);
  });

  it('graceMs is no time, also where nothing is worked off', async () => {
    for (const graceMs of [-6000, Number.NaN, 24 * 3_600_000 + 1]) {
      const root = HoldfastModule.forRoot({ store: logStore({ directory: temporaryDirectory() }), graceMs });
      await expect(startAppWith(root, {}, '')).rejects.toThrow(new RegExp(`^graceMs is ${graceMs}`));
    }
  });

  it('the directory is held by another store, naming directory and pid', async () => {
    const directory = temporaryDirectory();
    const holder = await openLogStore({ directory });
    onTestFinished(() => holder.close());
    const boot = startApp({}, { directory });
    await expect(boot).rejects.toThrow(StoreLockedError);
    await expect(boot).rejects.toThrow(`${directory} is in use by process ${process.pid}`);
  });

  it('another connection cannot be opened, before this one or after it: this one is closed again', async () => {
    const held = temporaryDirectory();
    const holder = await openLogStore({ directory: held });
    onTestFinished(() => holder.close());
    const reports = HoldfastModule.forRoot({
      connection: 'reports',
      store: logStore({ directory: held }),
      lockWaitMs: 0,
    });
    for (const waitMs of [0, 50]) {
      const directory = temporaryDirectory();
      let opened: Promise<JobStore> | undefined;
      const store = {
        location: directory,
        open: () => {
          opened = setTimeout(waitMs).then(() => openLogStore({ directory }));
          return opened;
        },
      };
      const boot = startAppWith(HoldfastModule.forRoot({ store }), { imports: [reports] }, directory);
      await expect(boot).rejects.toThrow(StoreLockedError);
      const late = await opened;
      await expect.poll(() => late?.health().status).toBe('closed');
    }
  });

  it('a queue of another connection is refused: all stores are closed again', async () => {
    const [directory, other] = [temporaryDirectory(), temporaryDirectory()];
    const reports = HoldfastModule.forRoot({ connection: 'reports', store: logStore({ directory: other }) });
    const queue = HoldfastModule.registerQueue({ name: 'sums', connection: 'reports', defaults: { maxAttempts: -1 } });
    const boot = startAppWith(
      HoldfastModule.forRoot({ store: logStore({ directory }) }),
      { imports: [reports, queue] },
      '',
    );
    await expect(boot).rejects.toThrow(/maxAttempts/);
    for (const free of [directory, other]) await (await openLogStore({ directory: free })).close();
  });

  it('the directory cannot be made', async () => {
    const boot = startApp({}, { directory: '/dev/null/queue' });
    await expect(boot).rejects.toThrow(expect.objectContaining({ code: 'STORE_OPEN_FAILED' }));
    await expect(boot).rejects.toThrow('/dev/null/queue');
  });
});
