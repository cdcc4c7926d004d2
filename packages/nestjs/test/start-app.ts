import 'reflect-metadata';
import { type INestApplication, type ModuleMetadata } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { onTestFinished } from 'vitest';
import { logStore } from '../src/connection/log-store.js';
import { HoldfastModule } from '../src/holdfast.module.js';
import { type HoldfastOptions } from '../src/holdfast-options.js';
import { EventLog } from './event-log.js';
import { temporaryDirectory } from './temporary-directory.js';

export interface TestApp {
  readonly app: INestApplication;
  readonly log: EventLog;
  readonly directory: string;
}

/** An application on a log store of its own, closed when the test ends. `EventLog` is there to be injected. */
export async function startApp(
  metadata: ModuleMetadata,
  { directory = temporaryDirectory(), ...options }: { directory?: string } & Partial<HoldfastOptions> = {},
): Promise<TestApp> {
  return startAppWith(HoldfastModule.forRoot({ store: logStore({ directory }), ...options }), metadata, directory);
}

export async function startAppWith(
  root: NonNullable<ModuleMetadata['imports']>[number],
  { imports = [], providers = [] }: ModuleMetadata,
  directory: string,
): Promise<TestApp> {
  const log = new EventLog();
  const logModule = {
    module: class LogModule {},
    global: true,
    providers: [{ provide: EventLog, useValue: log }],
    exports: [EventLog],
  };
  const builder = Test.createTestingModule({ imports: [root, logModule, ...imports], providers });
  const app = (await builder.compile()).createNestApplication({ logger: false });
  onTestFinished(() => app.close());
  await app.init();
  return { app, log, directory };
}
