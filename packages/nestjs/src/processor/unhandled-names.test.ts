import { openLogStore, Queue } from '@holdfast/core';
import { Injectable, Logger, type LoggerService, Scope } from '@nestjs/common';
import { expect, it, onTestFinished } from 'vitest';
import { EventLog } from '../../test/event-log.js';
import { startApp } from '../../test/start-app.js';
import { temporaryDirectory } from '../../test/temporary-directory.js';
import { OnJobEvent } from '../decorators/on-job-event.decorator.js';
import { Process } from '../decorators/process.decorator.js';
import { Processor } from '../decorators/processor.decorator.js';
import { HoldfastModule } from '../holdfast.module.js';
import { getQueueToken } from '../holdfast.tokens.js';
import { HoldfastWorkers } from './holdfast-workers.js';
import { type UnhandledName } from './processor-metadata.js';
import { UnhandledNames } from './unhandled-names.js';

@Injectable({ scope: Scope.REQUEST })
class PerJob {}

@Processor('mail')
class Mailer {
  constructor(
    _perJob: PerJob,
    private readonly log: EventLog,
  ) {}

  @Process('send')
  send() {
    this.log.add('sent');
  }

  @OnJobEvent('unhandled')
  onUnhandled({ queue, name, handled }: UnhandledName) {
    this.log.add(`unhandled ${name} in ${queue}, not ${handled}`);
  }
}

const metadata = { imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers: [Mailer, PerJob] };

function captureWarnings(): string[] {
  const warnings: string[] = [];
  const logger = { log() {}, error() {}, warn: (line: string) => void warnings.push(line) } satisfies LoggerService;
  Logger.overrideLogger(logger);
  onTestFinished(() => Logger.overrideLogger(false));
  return warnings;
}

it('a name that nobody handles is left waiting and told of once, to hooks, the log and whoever asks', async () => {
  const { app, log } = await startApp(metadata);
  const warnings = captureWarnings();
  const mail = app.get(getQueueToken('mail'));
  await mail.enqueueMany(['fax', 'send', 'fax', 'telex'].map((name) => ({ name, payload: null })));
  await Promise.all([log.seen('unhandled telex in mail, not send'), log.seen('sent')]);
  await mail.enqueue('fax', null);
  expect(log.entries.filter((entry) => entry.includes('fax'))).toEqual(['unhandled fax in mail, not send']);
  expect(warnings.filter((line) => line.includes('"fax"'))).toEqual([
    'Jobs named "fax" wait in the queue "mail": no handler online here. Handled here: "send".',
  ]);
  await expect.poll(() => mail.counts()).toMatchObject({ ready: 4, completed: 1, dead: 0 });
  expect(app.get(HoldfastWorkers).list()).toMatchObject([{ names: ['send'], unhandled: ['fax', 'telex'] }]);
});

it('a thousand jobs of a name that the last application knew wait through one that does not, and are done by the next', async () => {
  const directory = temporaryDirectory();
  const store = await openLogStore({ directory });
  const names = Array.from({ length: 1000 }, () => ({ name: 'fax', payload: null }));
  await new Queue('mail', { store }).enqueueMany(names);
  await store.close();

  const old = await startApp(metadata, { directory });
  await old.log.seen('unhandled fax in mail, not send');
  const mail = old.app.get(getQueueToken('mail'));
  await mail.enqueue('send', null);
  await old.log.seen('sent');
  expect(await mail.counts()).toMatchObject({ ready: 1000, dead: 0 });
  await old.app.close();

  @Processor('mail')
  class Faxer {
    @Process('fax')
    fax() {}
  }
  const next = await startApp({ ...metadata, providers: [Mailer, PerJob, Faxer] }, { directory });
  const again = next.app.get(getQueueToken('mail'));
  await expect.poll(() => again.counts(), { timeout: 15_000 }).toMatchObject({ ready: 0, leased: 0 });
  expect(await again.counts()).toMatchObject({ dead: 0, scheduled: 0 });
  expect(next.app.get(HoldfastWorkers).list()).toMatchObject([{ names: ['send', 'fax'], unhandled: [] }]);
});

it('made-up names are told of up to a hundred, and a store that fails is asked again later', async () => {
  const told: string[] = [];
  let fails = true;
  const browse = async () => {
    if (fails) throw new Error('down');
    return { rows: [{ name: 'late' }] as never, total: { value: 1, relation: 'exact' } as const };
  };
  const names = new UnhandledNames('mail', ['send'], { browse }, ({ name }) => told.push(name));
  await names.look();
  fails = false;
  await names.look();
  for (let index = 0; index < 500; index++) names.note(`name ${index}`);
  expect(told).toHaveLength(100);
  expect(told[0]).toBe('late');
  expect(names.seen).toEqual(told);
});
