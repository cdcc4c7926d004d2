import { type Job, type JobContext, openLogStore, Queue } from '@holdfast/core';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { expect, it } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp } from '../test/start-app.js';
import { InjectQueue } from './decorators/inject.decorators.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken } from './holdfast.tokens.js';

@Processor('mail', { leaseMs: 300 })
class Mailer {
  constructor(
    @InjectQueue('mail') private readonly mail: Queue,
    private readonly log: EventLog,
  ) {}

  /** Works until the application ends, then for longer than its lease, and enqueues what follows from it. */
  @Process('long')
  async long() {
    this.log.add('long began');
    await this.log.seen('ending');
    await new Promise((resolve) => setTimeout(resolve, 700));
    await this.mail.enqueue('later', { made: 'while draining' });
    return 'whole';
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
  await app.close();
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
