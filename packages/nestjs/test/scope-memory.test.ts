import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Job } from '@holdfast/core';
import { Injectable, Scope } from '@nestjs/common';
import { ContextIdFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { InjectJob } from '../src/decorators/inject.decorators.js';
import { OnJobEvent } from '../src/decorators/on-job-event.decorator.js';
import { Process } from '../src/decorators/process.decorator.js';
import { Processor } from '../src/decorators/processor.decorator.js';
import { HoldfastModule } from '../src/holdfast.module.js';
import { getQueueToken } from '../src/holdfast.tokens.js';
import { EventLog } from './event-log.js';
import { startApp } from './start-app.js';

const JOBS = 10_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

let made = 0;
let collected = 0;
const instances = new FinalizationRegistry(() => collected++);

/** Large enough to be missed: 10,000 that stay are 160 MB. */
@Injectable({ scope: Scope.REQUEST })
class Ballast {
  readonly bytes = Buffer.alloc(16_384);

  constructor(@InjectJob() readonly job: Job) {
    made++;
    instances.register(this, undefined);
  }
}

@Processor('mail', { concurrency: 50 })
class Mailer {
  constructor(
    private readonly ballast: Ballast,
    private readonly log: EventLog,
  ) {}

  @Process('send')
  send() {
    return this.ballast.bytes.length;
  }

  @OnJobEvent('completed')
  onCompleted() {
    if (this.ballast.job.payload === JOBS - 1) this.log.add('last');
  }
}

it('what is made for a job is gone after it: 10,000 jobs leave no instance behind', async () => {
  const { app, log } = await startApp({
    imports: [HoldfastModule.registerQueue({ name: 'mail' })],
    providers: [Mailer, Ballast],
  });
  // A test before may have left a strategy in Nest, which keeps one for the whole process.
  ContextIdFactory.apply({ attach: () => undefined });
  const mail = app.get(getQueueToken('mail'));
  for (let from = 0; from < JOBS; from += 1000) {
    await mail.enqueueMany(Array.from({ length: 1000 }, (_, index) => ({ name: 'send', payload: from + index })));
  }
  await log.seen('last');
  await expect.poll(() => mail.counts(), { timeout: 60_000 }).toMatchObject({ ready: 0, leased: 0 });
  await expect
    .poll(
      () => {
        collectGarbage();
        return made - collected;
      },
      { timeout: 30_000, interval: 100 },
    )
    .toBeLessThanOrEqual(10);
  expect(made).toBe(JOBS);
}, 120_000);
