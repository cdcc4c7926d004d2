import { type WorkerEvents } from '@holdfast/core';
import { expect, it } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp } from '../test/start-app.js';
import { OnJobEvent } from './decorators/on-job-event.decorator.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken } from './holdfast.tokens.js';
import { HoldfastWorkers } from './processor/holdfast-workers.js';

const FILE = new URL('../../core/test/isolation/handlers/all.mjs', import.meta.url);

const registerMail = () => HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 1 } });

it.each(['thread', 'process'] as const)(
  'handlers in a file run in a %s, with the hooks of their processor',
  {
    timeout: 60_000,
  },
  async (isolation) => {
    @Processor('mail', { isolation, file: FILE, concurrency: 1 })
    class Mailer {
      constructor(private readonly log: EventLog) {}

      @OnJobEvent('completed')
      onCompleted({ job }: WorkerEvents['completed']) {
        this.log.add(`completed ${job.name}`);
      }

      @OnJobEvent('dead')
      onDead({ job, error }: WorkerEvents['dead']) {
        this.log.add(`dead ${job.name}: ${error}`);
      }
    }
    const { app, log } = await startApp({ imports: [registerMail()], providers: [Mailer] });
    const mail = app.get(getQueueToken('mail'));
    const { id } = await mail.enqueue('double', 21);
    expect(await mail.waitFor(id)).toBe(42);
    await log.seen('completed double');
    await mail.enqueue('exit', 3);
    await mail.enqueue('double', 1);
    await expect.poll(() => log.entries, { timeout: 30_000 }).toHaveLength(3);
    expect(log.entries[1]).toMatch(/^dead exit: IsolateEndedError: .*exit code 3/);
    expect(log.entries[2]).toBe('completed double');
    expect(app.get(HoldfastWorkers).list()).toMatchObject([{ names: 'all', runaways: [] }]);
  },
);

it('a file for some names stands beside methods for others', { timeout: 60_000 }, async () => {
  @Processor('mail', { isolation: 'thread', file: FILE, names: ['double'] })
  class Mailer {
    @Process('here')
    here() {
      return 'here';
    }
  }
  const { app } = await startApp({ imports: [registerMail()], providers: [Mailer] });
  const mail = app.get(getQueueToken('mail'));
  const jobs = await mail.enqueueMany([
    { name: 'double', payload: 4 },
    { name: 'here', payload: null },
  ]);
  expect(await Promise.all(jobs.map(({ id }) => mail.waitFor(id)))).toEqual([8, 'here']);
  expect(app.get(HoldfastWorkers).list()).toMatchObject([{ names: ['here', 'double'] }]);
});
