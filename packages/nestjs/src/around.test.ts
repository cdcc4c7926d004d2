import { AsyncLocalStorage } from 'node:async_hooks';
import { type Job, type WorkerEvents } from '@holdfast/core';
import { Injectable, Scope } from '@nestjs/common';
import { expect, it } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp } from '../test/start-app.js';
import { OnJobEvent } from './decorators/on-job-event.decorator.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken } from './holdfast.tokens.js';
import { type HoldfastOptions } from './holdfast-options.js';

const storage = new AsyncLocalStorage<{ tenant: unknown }>();
const around: HoldfastOptions['around'] = ({ payload }, _, work) => storage.run({ tenant: payload }, work);

@Injectable({ scope: Scope.REQUEST })
class PerJob {
  readonly tenant = storage.getStore()?.tenant;
}

class Deep {
  where(): unknown {
    return storage.getStore()?.tenant;
  }
}

@Processor('mail')
class Mailer {
  constructor(
    private readonly deep: Deep,
    private readonly log: EventLog,
  ) {}

  @Process()
  async handle({ payload }: Job) {
    await new Promise((resolve) => setImmediate(resolve));
    this.log.add(`handled ${this.deep.where()}`);
    if (payload === 'failing') throw new RangeError('no');
  }

  @OnJobEvent('completed')
  async onCompleted({ job }: WorkerEvents['completed']) {
    await null;
    this.log.add(`completed ${job.name} ${this.deep.where()}`);
  }

  @OnJobEvent('dead')
  onDead() {
    this.log.add(`dead ${this.deep.where()}`);
  }
}

@Processor('mail')
class ScopedHooks {
  constructor(
    private readonly perJob: PerJob,
    private readonly log: EventLog,
  ) {}

  @OnJobEvent('completed')
  onCompleted() {
    this.log.add(`scoped ${this.perJob.tenant}`);
  }
}

const registerMail = () => HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 1 } });

it('what is entered around a job is there in its handler and all its hooks, apart from that of others', async () => {
  const metadata = { imports: [registerMail()], providers: [Mailer, ScopedHooks, PerJob, Deep] };
  const { app, log } = await startApp(metadata, { around });
  const mail = app.get(getQueueToken('mail'));
  const tenants = Array.from({ length: 20 }, (_, index) => `t${index}`);
  await mail.enqueueMany([...tenants, 'failing'].map((tenant) => ({ name: 'job', payload: tenant })));
  const expected = tenants.flatMap((tenant) => [`handled ${tenant}`, `completed job ${tenant}`, `scoped ${tenant}`]);
  await Promise.all([...expected, 'handled failing', 'dead failing'].map((entry) => log.seen(entry)));
  expect(log.entries).toHaveLength(expected.length + 2);
});

it('what around answers is the result, and what it throws fails the attempt without the handler', async () => {
  const metadata = { imports: [registerMail()], providers: [Mailer, Deep] };
  const { app, log } = await startApp(metadata, {
    around: async ({ name }, _, work) => {
      if (name === 'refused') throw new TypeError('not now');
      await work();
      return 'from around';
    },
  });
  const mail = app.get(getQueueToken('mail'));
  const { id } = await mail.enqueue('job', null);
  const refused = await mail.enqueue('refused', null);
  await Promise.all([log.seen('completed job undefined'), log.seen('dead undefined')]);
  expect(await mail.job(id)).toMatchObject({ result: 'from around' });
  expect((await mail.job(refused.id))?.attemptLog[0]?.error).toMatchObject({ class: 'TypeError' });
  expect(log.entries.filter((entry) => entry.startsWith('handled'))).toHaveLength(1);
});
