import { type JobStore } from '@holdfast/contract';
import { type Job, type WorkerEvents } from '@holdfast/core';
import { Injectable, Scope } from '@nestjs/common';
import { expect, it } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp } from '../test/start-app.js';
import { OnJobEvent } from './decorators/on-job-event.decorator.js';
import { JobContext } from './decorators/parameter.decorators.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken, HOLDFAST_STORE } from './holdfast.tokens.js';
import { HoldfastWorkers } from './processor/holdfast-workers.js';

/** Lets a handler that hears no signal end. */
@Injectable()
class Wall {
  fall = () => {};
  readonly fallen = new Promise<void>((resolve) => {
    this.fall = resolve;
  });
}

@Injectable({ scope: Scope.REQUEST })
class Basket {
  things = 'nothing';
}

@Processor('mail', { concurrency: 1, timeoutMs: 100 })
class Mailer {
  constructor(
    private readonly basket: Basket,
    private readonly wall: Wall,
    private readonly log: EventLog,
  ) {}

  @Process('deaf')
  async deaf(job: Job) {
    this.basket.things = `${job.name} things`;
    await this.wall.fallen;
  }

  @Process('next')
  next() {
    this.log.add('next ran');
  }

  @OnJobEvent('dead')
  onDead({ error }: WorkerEvents['dead']) {
    this.log.add(`dead with ${this.basket.things}: ${error}`);
  }

  @OnJobEvent('runawayEnded')
  onRunawayEnded() {
    this.log.add(`ended with ${this.basket.things}`);
  }
}

const registerMail = () => HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 1 } });

it('an attempt ends in time though its handler does not: its slot is free, and the handler is listed', async () => {
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Mailer, Basket, Wall] });
  const mail = app.get(getQueueToken('mail'));
  const { id } = await mail.enqueue('deaf', null);
  await mail.enqueue('next', null);
  await log.seen('next ran');
  expect(await mail.job(id)).toMatchObject({ state: 'dead' });
  expect(log.entries[0]).toMatch(/^dead with deaf things: .*100 ms/);
  expect(app.get(HoldfastWorkers).list()).toMatchObject([
    { running: 0, runaways: [{ id, name: 'deaf', attempt: 1, timeoutMs: 100 }] },
  ]);
  app.get(Wall).fall();
  await log.seen('ended with deaf things');
  expect(app.get(HoldfastWorkers).list()).toMatchObject([{ runaways: [] }]);
});

it('an operator who cancels a job aborts its handler, which hears why', async () => {
  @Processor('mail', { leaseMs: 300 })
  class Attentive {
    constructor(private readonly log: EventLog) {}

    @Process('long')
    async long(@JobContext() { signal }: JobContext) {
      this.log.add('long began');
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      this.log.add(`aborted: ${signal.reason.reason}`);
      signal.throwIfAborted();
    }

    @OnJobEvent('cancelled')
    onCancelled({ by }: WorkerEvents['cancelled']) {
      this.log.add(`cancelled by ${by}`);
    }
  }
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Attentive] });
  const mail = app.get(getQueueToken('mail'));
  const { id } = await mail.enqueue('long', null);
  await log.seen('long began');
  await app.get<JobStore>(HOLDFAST_STORE).cancel({ ids: [id] }, { actor: 'ada' });
  await Promise.all([log.seen('aborted: cancelled'), log.seen('cancelled by operator')]);
  expect(await mail.job(id)).toMatchObject({ state: 'cancelled' });
});
