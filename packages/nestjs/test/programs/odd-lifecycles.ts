// Tests that a test runner runs for itself: what they leave open would keep it from exiting.
import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openLogStore, startWorker } from '@holdfast/core';
import { getQueueToken, HoldfastModule, logStore, Process, Processor } from '@holdfast/nestjs';
import { Test } from '@nestjs/testing';
import { afterAll, expect, it } from 'vitest';

const root = mkdtempSync(join(tmpdir(), 'holdfast-lifecycle-'));
let directories = 0;
const newDirectory = () => join(root, String(directories++));

afterAll(() => rmSync(root, { recursive: true, force: true }));

@Processor('mail')
class Mailer {
  @Process('send')
  send() {
    return 'sent';
  }
}

async function application() {
  const store = logStore({ directory: newDirectory() });
  const imports = [HoldfastModule.forRoot({ store }), HoldfastModule.registerQueue({ name: 'mail' })];
  const module = await Test.createTestingModule({ imports, providers: [Mailer] }).compile();
  return module.createNestApplication({ logger: false });
}

it('a job is done on a log store', async () => {
  const app = await application();
  await app.init();
  const mail = app.get(getQueueToken('mail'));
  const { id } = await mail.enqueue('send', null);
  expect(await mail.waitFor(id)).toBe('sent');
  await app.close();
});

it('an application whose queues are empty closes', async () => {
  const app = await application();
  await app.init();
  await app.close();
});

it('an application closes twice', async () => {
  const app = await application();
  await app.init();
  await Promise.all([app.close(), app.close()]);
  await app.close();
});

it('an application closes before it is ready', async () => {
  await (await application()).close();
});

it('an application closes while it gets ready', async () => {
  const app = await application();
  const ready = app.init();
  await app.close();
  await ready;
  await app.close();
});

it('a worker closes in the turn in which it started', async () => {
  const store = await openLogStore({ directory: newDirectory() });
  await startWorker({ store, queue: 'mail', handler: () => undefined }).close();
  await store.close();
});
