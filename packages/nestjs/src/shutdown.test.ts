import { type JobStore } from '@holdfast/contract';
import { type Job, type JobContext, openLogStore, Queue } from '@holdfast/core';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown, Scope } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { expect, it } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp } from '../test/start-app.js';
import { temporaryDirectory } from '../test/temporary-directory.js';
import { logStore } from './connection/log-store.js';
import { InjectQueue, InjectStore } from './decorators/inject.decorators.js';
import { OnJobEvent } from './decorators/on-job-event.decorator.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken } from './holdfast.tokens.js';
import { HoldfastWorkers } from './processor/holdfast-workers.js';

@Processor('mail', { leaseMs: 300 })
class Mailer {
  constructor(
    @InjectQueue('mail') private readonly mail: Queue,
    @InjectStore() private readonly store: JobStore,
    private readonly log: EventLog,
  ) {}

  /** Works until the application ends, then until its lease was extended once more, and enqueues what follows from it. */
  @Process('long')
  async long({ id }: Job) {
    this.log.add('long began');
    await this.log.seen('ending');
    const before = await this.#extensions(id);
    while ((await this.#extensions(id)) === before) await new Promise((resolve) => setTimeout(resolve, 10));
    await this.mail.enqueue('later', { made: 'while draining' });
    return 'whole';
  }

  async #extensions(id: string): Promise<number | undefined> {
    return (await this.store.leases(10)).find((lease) => lease.id === id)?.extensions;
  }

  @Process('deaf')
  deaf() {
    this.log.add('deaf began');
    return new Promise(() => {});
  }

  @Process('attentive')
  async attentive(_: Job, { signal }: JobContext) {
    this.log.add('attentive began');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    this.log.add(`attentive heard ${signal.reason.reason}`);
    signal.throwIfAborted();
  }
}

@Injectable()
class LastWords implements BeforeApplicationShutdown, OnApplicationShutdown {
  constructor(
    @InjectQueue('mail') private readonly mail: Queue,
    private readonly log: EventLog,
  ) {}

  beforeApplicationShutdown() {
    this.log.add('ending');
  }

  async onApplicationShutdown() {
    await this.mail.enqueue('later', { made: 'in the last hook' });
  }
}

const metadata = { imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers: [Mailer, LastWords] };

it('lets jobs end, with leases extended, and takes new ones until the last hook', async () => {
  const { app, log, directory } = await startApp(metadata);
  const mail: Queue = app.get(getQueueToken('mail'));
  const { id } = await mail.enqueue('long', null);
  await log.seen('long began');
  await app.close();
  const store = await openLogStore({ directory });
  expect(await store.job(id)).toMatchObject({ state: 'completed', result: '"whole"', attempts: 1 });
  const later = (await store.browse({ name: 'later' }, { limit: 10 })).rows;
  const payloads = await Promise.all(later.map(async (row) => (await store.job(row.id))?.payload));
  expect(payloads.toSorted()).toEqual(['{"made":"in the last hook"}', '{"made":"while draining"}']);
  expect((await store.storage()).recovery.kind).toBe('clean');
  await store.close();
});

it('hands back what does not end in time, uncounted and claimable at once', async () => {
  const { app, log, directory } = await startApp(metadata, { graceMs: 50 });
  const mail: Queue = app.get(getQueueToken('mail'));
  const deaf = await mail.enqueue('deaf', null);
  const attentive = await mail.enqueue('attentive', null);
  await Promise.all([log.seen('deaf began'), log.seen('attentive began')]);
  const lines: unknown[][] = [];
  const ignore = () => undefined;
  app.useLogger({ log: (...words) => lines.push(words), warn: ignore, error: ignore });
  await app.close();
  expect(lines).toContainEqual(['The store is closed. Jobs that were handed back unfinished: 2.', 'Holdfast']);
  expect(log.entries).toContain('attentive heard shutdown');
  const store = await openLogStore({ directory });
  for (const { id } of [deaf, attentive]) expect(await store.job(id)).toMatchObject({ state: 'ready', attempts: 0 });
  expect(await store.leases(10)).toEqual([]);
  await store.close();
});

it('can be closed twice', async () => {
  const { app } = await startApp(metadata);
  await Promise.all([app.close(), app.close()]);
  await app.close();
});

it('can be closed before it is up, and starts no worker after that', async () => {
  const directory = temporaryDirectory();
  const root = HoldfastModule.forRoot({ store: logStore({ directory }) });
  const builder = Test.createTestingModule({ imports: [root, ...metadata.imports] });
  const app = (await builder.compile()).createNestApplication({ logger: false });
  await app.close();
  await (await openLogStore({ directory })).close();
});

it('is over for a worker that somebody starts too late', async () => {
  const { app } = await startApp(metadata);
  const workers = app.get(HoldfastWorkers);
  await app.close();
  expect(() => workers.start('mail')).toThrow(expect.objectContaining({ code: 'WORKER_CLOSED' }));
  expect(workers.list()).toMatchObject([{ state: 'closed' }]);
});

it('closes the stores of all connections after the last hook', async () => {
  @Injectable()
  class LastReport implements OnApplicationShutdown {
    constructor(@InjectQueue('mail', 'reports') private readonly reports: Queue) {}

    async onApplicationShutdown() {
      await this.reports.enqueue('last', null);
    }
  }
  const directory = temporaryDirectory();
  const { app } = await startApp({
    imports: [
      HoldfastModule.forRoot({ connection: 'reports', store: logStore({ directory }) }),
      HoldfastModule.registerQueue({ name: 'mail', connection: 'reports' }),
    ],
    providers: [LastReport],
  });
  await app.close();
  const store = await openLogStore({ directory });
  expect((await store.browse({ name: 'last' }, { limit: 1 })).rows).toHaveLength(1);
  await store.close();
});

it('tells the hooks of a job that is handed back, in the scope of that job', async () => {
  @Injectable({ scope: Scope.REQUEST })
  class Basket {
    things = 'nothing';
  }
  @Processor('mail')
  class Scoped {
    constructor(
      private readonly basket: Basket,
      private readonly log: EventLog,
    ) {}

    @Process('deaf')
    deaf({ payload }: Job<string>) {
      this.basket.things = payload;
      this.log.add('deaf began');
      return new Promise(() => {});
    }

    @OnJobEvent('released')
    onReleased() {
      this.log.add(`released with ${this.basket.things}`);
    }
  }
  const { app, log } = await startApp({ imports: metadata.imports, providers: [Scoped, Basket] }, { graceMs: 0 });
  await app.get(getQueueToken('mail')).enqueue('deaf', 'letters');
  await log.seen('deaf began');
  await app.close();
  expect(log.entries).toContain('released with letters');
});
