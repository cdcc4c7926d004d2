import { type JobStore, type StoreHealth } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { Controller, Get, Module } from '@nestjs/common';
import { HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { expect, it, onTestFinished } from 'vitest';
import { startApp, startAppWith } from '../../test/start-app.js';
import { temporaryDirectory } from '../../test/temporary-directory.js';
import { logStore } from '../connection/log-store.js';
import { Process } from '../decorators/process.decorator.js';
import { Processor } from '../decorators/processor.decorator.js';
import { HoldfastModule } from '../holdfast.module.js';
import { getQueueToken, HOLDFAST_STORE } from '../holdfast.tokens.js';
import { HoldfastHealth } from './holdfast-health.js';

@Processor('mail')
class Mailer {
  @Process('send')
  send() {}
}

const metadata = { imports: [HoldfastModule.registerQueue({ name: 'mail' })], providers: [Mailer] };

/** A log store that a test makes look failed, or fail its claims. */
async function faultyStore() {
  const store = await openLogStore({ directory: temporaryDirectory() });
  const faults: { health?: StoreHealth; claim?: Error } = {};
  const faulty = new Proxy<JobStore>(store, {
    get(target, key) {
      if (key === 'health') return () => faults.health ?? target.health();
      if (key === 'claim' && faults.claim !== undefined) return () => Promise.reject(faults.claim);
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { faults, root: HoldfastModule.forRoot({ store: { open: async () => faulty } }) };
}

it('is up while stores are open and workers claim', async () => {
  const { app } = await startApp(metadata);
  expect(await app.get(HoldfastHealth).check({ oldestReadyMsMax: 60_000 })).toEqual({
    status: 'up',
    problems: [],
    stores: { default: expect.objectContaining({ status: 'open' }) },
    workers: { mail: 'working' },
  });
});

it('is down while a store is not open, saying what the store says', async () => {
  const { faults, root } = await faultyStore();
  const { app } = await startAppWith(root, metadata, '');
  faults.health = { status: 'failed', detail: 'the disk is gone', reopened: 0 };
  expect(await app.get(HoldfastHealth).check()).toMatchObject({
    status: 'down',
    problems: ['the store "default" is failed: the disk is gone'],
  });
  delete faults.health;
  expect(await app.get(HoldfastHealth).check()).toMatchObject({ status: 'up' });
});

it('is down when a worker cannot claim, though the store looks open', async () => {
  const { faults, root } = await faultyStore();
  faults.claim = new Error('refused');
  const { app } = await startAppWith(root, metadata, '');
  const health = app.get(HoldfastHealth);
  await expect.poll(() => health.check()).toMatchObject({ status: 'down', workers: { mail: 'failing' } });
  expect((await health.check()).problems[0]).toMatch(/worker of the queue "mail" cannot claim/);
});

it('is down when a job waits for too long, unless its queue is paused', async () => {
  const { app } = await startApp(metadata);
  const store = app.get<JobStore>(HOLDFAST_STORE);
  await app.get(getQueueToken('mail')).enqueue('fax', null);
  const health = app.get(HoldfastHealth);
  await expect.poll(() => health.check({ oldestReadyMsMax: 0 })).toMatchObject({ status: 'down' });
  const { problems } = await health.check({ oldestReadyMsMax: 0 });
  expect(problems).toEqual([
    expect.stringMatching(/^a job of the queue "mail" has waited for \d+ ms, longer than 0 ms$/),
  ]);
  await store.pause('mail', { actor: 'test' });
  expect(await health.check({ oldestReadyMsMax: 0 })).toMatchObject({ status: 'up' });
});

it('answers through Terminus: 200, or 503 with the problems', async () => {
  @Controller('health')
  class HealthController {
    constructor(
      private readonly health: HealthCheckService,
      private readonly holdfast: HoldfastHealth,
    ) {}

    @Get()
    check() {
      return this.health.check([() => this.holdfast.isHealthy('queues', { oldestReadyMsMax: 0 })]);
    }
  }
  @Module({ imports: [TerminusModule.forRoot({ logger: false })], controllers: [HealthController] })
  class HealthModule {}
  const root = HoldfastModule.forRoot({ store: logStore({ directory: temporaryDirectory() }) });
  const builder = Test.createTestingModule({
    imports: [root, HealthModule, ...metadata.imports],
    providers: metadata.providers,
  });
  const app = (await builder.compile()).createNestApplication({ logger: false });
  onTestFinished(() => app.close());
  await app.init();
  const http = supertest(app.getHttpServer());
  const well = await http.get('/health');
  expect([well.status, well.body.info.queues]).toEqual([200, expect.objectContaining({ status: 'up' })]);
  await app.get(getQueueToken('mail')).enqueue('fax', null);
  await expect.poll(async () => (await http.get('/health')).status).toBe(503);
  const ill = await http.get('/health');
  expect(ill.body.error.queues.problems).toEqual([expect.stringContaining('"mail"')]);
});
