import 'reflect-metadata';
import { type JobStore } from '@holdfast/contract';
import { openLogStore, Queue } from '@holdfast/core';
import { Inject, Injectable, type ModuleMetadata, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EventLog } from '../test/event-log.js';
import { startApp, startAppWith } from '../test/start-app.js';
import { temporaryDirectory } from '../test/temporary-directory.js';
import { logStore } from './connection/log-store.js';
import { Process } from './decorators/process.decorator.js';
import { Processor } from './decorators/processor.decorator.js';
import { HoldfastModule } from './holdfast.module.js';
import { getQueueToken, getStoreToken } from './holdfast.tokens.js';

@Injectable()
class Lacking {
  constructor(@Inject('NOBODY_PROVIDES_THIS') readonly lacking: unknown) {}
}

@Processor('mail')
class Mailer {
  constructor(private readonly log: EventLog) {}

  @Process('send')
  send() {
    this.log.add('sent');
  }
}

const registerMail = () => HoldfastModule.registerQueue({ name: 'mail' });

function rootIn(directory: string, options: { connection?: string; lockWaitMs?: number } = {}) {
  return HoldfastModule.forRoot({ store: logStore({ directory }), ...options });
}

function compile({ imports = [], providers = [] }: ModuleMetadata) {
  return Test.createTestingModule({ imports, providers }).compile();
}

/** An application that takes the directory and works there. */
async function expectToWork(directory: string): Promise<void> {
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Mailer] }, { directory, lockWaitMs: 0 });
  await app.get(getQueueToken('mail')).enqueue('send', null);
  await log.seen('sent');
  await app.close();
}

/** Opens when it is told to, for boots that fail before and after that. */
function heldBack(directory: string) {
  let open = () => {};
  const wait = new Promise<void>((resolve) => {
    open = resolve;
  });
  let opened: Promise<JobStore> | undefined;
  const store = {
    location: directory,
    open: () => {
      opened = wait.then(() => openLogStore({ directory }));
      return opened;
    },
  };
  return { store, open, opened: async () => opened };
}

describe('an application can be started again in a process where', () => {
  it('Nest failed to make it after its stores were open', async () => {
    const [directory, other] = [temporaryDirectory(), temporaryDirectory()];
    const reports = rootIn(other, { connection: 'reports' });
    const boot = compile({
      imports: [rootIn(directory), reports],
      providers: [
        { provide: 'LATE', inject: [getStoreToken(), getStoreToken('reports')], useFactory: () => 'both are open' },
        { provide: 'LACKING', inject: ['LATE'], useFactory: () => Promise.reject(new RangeError('no such region')) },
      ],
    });
    await expect(boot).rejects.toThrow('no such region');
    await expectToWork(directory);
    await expectToWork(other);
  });

  it('Nest failed to make it while its store opened', async () => {
    const directory = temporaryDirectory();
    const { store, open, opened } = heldBack(directory);
    await expect(compile({ imports: [HoldfastModule.forRoot({ store })], providers: [Lacking] })).rejects.toThrow(
      'NOBODY_PROVIDES_THIS',
    );
    open();
    await opened();
    await expectToWork(directory);
  });

  it('a hook of the application threw, and nobody has it to close it', async () => {
    const directory = temporaryDirectory();
    @Injectable()
    class Unreachable implements OnModuleInit {
      onModuleInit() {
        throw new RangeError('no database');
      }
    }
    class App {}
    const module = { module: App, imports: [rootIn(directory)], providers: [Unreachable] };
    const boot = NestFactory.createApplicationContext(module, { logger: false, abortOnError: false });
    await expect(boot).rejects.toThrow('no database');
    await expectToWork(directory);
  });

  it('the last one still ends, as with hot reload', async () => {
    const directory = temporaryDirectory();
    const log = new EventLog();
    @Injectable()
    class Slow implements OnModuleDestroy {
      async onModuleDestroy() {
        await log.seen('the next one was refused');
      }
    }
    const { app } = await startApp({ imports: [registerMail()], providers: [Slow] }, { directory });
    const { id } = await app.get(getQueueToken('mail')).enqueue('unknown', 'kept');
    const closing = app.close();
    const open = () =>
      openLogStore({ directory }).catch((error: unknown) => {
        log.add('the next one was refused');
        throw error;
      });
    const root = HoldfastModule.forRoot({ store: { location: directory, open }, lockWaitMs: 3_600_000 });
    const next = await startAppWith(root, { imports: [registerMail()] }, directory);
    const mail: Queue = next.app.get(getQueueToken('mail'));
    expect(await mail.job(id)).toMatchObject({ payload: 'kept' });
    await closing;
  });
});

it('an application that is up keeps its directory', async () => {
  const directory = temporaryDirectory();
  const { app } = await startApp({ imports: [registerMail()] }, { directory });
  const boot = startApp({}, { directory, lockWaitMs: 150 });
  await expect(boot).rejects.toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }));
  await app.get(getQueueToken('mail')).enqueue('send', null);
  await app.close();
  await expectToWork(directory);
});

it('an application that opens one directory for two connections does not wait for itself', async () => {
  const directory = temporaryDirectory();
  const boot = startApp(
    { imports: [rootIn(directory, { connection: 'reports', lockWaitMs: 3_600_000 })] },
    { directory },
  );
  await expect(boot).rejects.toThrow(expect.objectContaining({ code: 'STORE_LOCKED' }));
  await expectToWork(directory);
});

it('an application whose directory was taken over while it booted fails to boot, and says why', async () => {
  const directory = temporaryDirectory();
  const module = await compile({ imports: [rootIn(directory)] });
  onTestFinished(() => module.close());
  await expectToWork(directory);
  await expect(module.init()).rejects.toThrow(expect.objectContaining({ code: 'STORE_TAKEN_OVER', directory }));
});
