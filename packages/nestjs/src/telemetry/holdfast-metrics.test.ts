import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type JobStore, UnrecoverableError } from '@holdfast/contract';
import { type Job } from '@holdfast/core';
import { Injectable } from '@nestjs/common';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { EventLog } from '../../test/event-log.js';
import { startApp } from '../../test/start-app.js';
import { OnJobEvent } from '../decorators/on-job-event.decorator.js';
import { Process } from '../decorators/process.decorator.js';
import { Processor } from '../decorators/processor.decorator.js';
import { HoldfastModule } from '../holdfast.module.js';
import { getQueueToken, HOLDFAST_STORE } from '../holdfast.tokens.js';
import { HoldfastMetrics } from './holdfast-metrics.js';
import { LOOP_LOOK_EVERY_MS, ofLoopDelay } from './measurement.js';
import { METRICS } from './metrics.js';

@Processor('mail')
class Mailer {
  constructor(private readonly log: EventLog) {}

  @Process('send')
  send() {}

  @Process('fail')
  fail({ attempt }: Job) {
    if (attempt === 1) throw new RangeError('no');
    throw new UnrecoverableError('never');
  }

  @OnJobEvent('completed')
  onCompleted() {
    this.log.add('completed');
  }

  @OnJobEvent('dead')
  onDead() {
    this.log.add('dead');
  }
}

const registerMail = () =>
  HoldfastModule.registerQueue({
    name: 'mail',
    defaults: { backoff: { kind: 'fixed', baseMs: 1, maxMs: 1, jitter: 'none' } },
  });

async function startMail() {
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Mailer] });
  return { app, log, mail: app.get(getQueueToken('mail')), metrics: app.get(HoldfastMetrics) };
}

/** `name{labels}` → value. */
function samplesIn(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  );
}

it('counts jobs by state, attempts by outcome, and how long they took', async () => {
  const { log, mail, metrics } = await startMail();
  await metrics.text();
  await mail.enqueue('send', null);
  await mail.enqueue('fail', null);
  await mail.enqueue('fax "1"', null);
  await Promise.all([log.seen('completed'), log.seen('dead')]);
  const samples = samplesIn(await metrics.text());
  const queue = 'connection="default",queue="mail"';
  expect(samples.get(`holdfast_jobs{${queue},state="completed"}`)).toBe(1);
  expect(samples.get(`holdfast_jobs{${queue},state="ready"}`)).toBe(1);
  expect(samples.get(`holdfast_jobs{${queue},state="dead"}`)).toBe(1);
  expect(samples.get(`holdfast_queue_oldest_ready_seconds{${queue}}`)).toBeGreaterThanOrEqual(0);
  expect(samples.get(`holdfast_job_attempts_total{${queue},job="send",outcome="completed"}`)).toBe(1);
  expect(samples.get(`holdfast_job_attempts_total{${queue},job="fail",outcome="failed"}`)).toBe(1);
  expect(samples.get(`holdfast_job_attempts_total{${queue},job="fail",outcome="dead"}`)).toBe(1);
  expect(samples.get(`holdfast_job_run_seconds_count{${queue},job="send",outcome="completed"}`)).toBe(1);
  expect(samples.get(`holdfast_job_run_seconds_bucket{${queue},job="send",outcome="completed",le="+Inf"}`)).toBe(1);
  expect(samples.get(`holdfast_job_start_seconds_count{${queue},job="fail"}`)).toBe(1);
  expect(samples.get('holdfast_store_up{connection="default"}')).toBe(1);
  expect(samples.get('holdfast_store_enqueued_total{connection="default"}')).toBe(3);
  expect(samples.get('holdfast_store_sync_seconds{connection="default",quantile="0.99"}')).toBeGreaterThan(0);
  expect([...samples.keys()]).toContain('holdfast_event_loop_delay_seconds{quantile="1"}');
});

it.each([
  ['text', (metrics: HoldfastMetrics) => void metrics.text()],
  ['registerIn', (metrics: HoldfastMetrics) => metrics.registerIn(new Registry())],
])('counts from the start where a constructor calls %s, before there are workers', async (_, begin) => {
  @Injectable()
  class Early {
    constructor(metrics: HoldfastMetrics) {
      begin(metrics);
    }
  }
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Early, Mailer] });
  await app.get(getQueueToken('mail')).enqueue('send', null);
  await log.seen('completed');
  const samples = samplesIn(await app.get(HoldfastMetrics).text());
  const labels = 'connection="default",queue="mail",job="send",outcome="completed"';
  expect(samples.get(`holdfast_job_attempts_total{${labels}}`)).toBe(1);
});

it('are the same in a registry of prom-client, in both of its formats, and can be read as JSON', async () => {
  const { log, mail, metrics } = await startMail();
  const register = new Registry();
  metrics.registerIn(register);
  expect(() => metrics.registerIn(register)).toThrow(/already been registered/);
  await mail.enqueue('send', null);
  await log.seen('completed');
  const ours = samplesIn(await metrics.text());
  const theirs = samplesIn(await register.metrics());
  expect([...theirs.keys()]).toEqual([...ours.keys()]);
  const attempts = 'holdfast_job_attempts_total{connection="default",queue="mail",job="send",outcome="completed"}';
  expect([ours.get(attempts), theirs.get(attempts)]).toEqual([1, 1]);
  expect(await register.getMetricsAsJSON()).toHaveLength(METRICS.length);
  register.resetMetrics();

  const open = new Registry();
  // Its type is fixed to the format of a new registry.
  open.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
  metrics.registerIn(open);
  const text = await open.metrics();
  expect(text).toContain('# TYPE holdfast_job_attempts counter');
  expect(text).toContain(attempts);
  expect(text).toContain('holdfast_job_run_seconds_bucket{');
});

it('say of an event loop that is not late that it is not, though Node counts from look to look', async () => {
  const loopDelay = monitorEventLoopDelay({ resolution: LOOP_LOOK_EVERY_MS });
  onTestFinished(() => void loopDelay.disable());
  loopDelay.enable();
  await expect.poll(() => loopDelay.count, { timeout: 30_000 }).toBeGreaterThan(50);
  const [median] = ofLoopDelay({ loopDelay });
  expect(median).toMatchObject({ labels: { quantile: '0.5' }, value: expect.toSatisfy((value) => value < 0.015) });
});

it('say that a store is down, and nothing of what it cannot tell', async () => {
  const { app, metrics } = await startMail();
  await app.close();
  const samples = samplesIn(await metrics.text());
  expect(samples.get('holdfast_store_up{connection="default"}')).toBe(0);
  expect([...samples.keys()].filter((key) => key.startsWith('holdfast_jobs{'))).toEqual([]);
});

it('say of a full disk that no jobs are taken, and go on with all else', async () => {
  const { app, mail, metrics } = await startMail();
  await mail.enqueue('fax', null);
  vi.spyOn(app.get<JobStore>(HOLDFAST_STORE), 'health').mockReturnValue({ status: 'full', reopened: 0 });
  const samples = samplesIn(await metrics.text());
  expect(samples.get('holdfast_store_up{connection="default"}')).toBe(0);
  expect(samples.get('holdfast_jobs{connection="default",queue="mail",state="ready"}')).toBe(1);
});

it('bound the job names that they tell apart', async () => {
  @Processor('mail')
  class Anything {
    constructor(private readonly log: EventLog) {}

    @Process()
    handle() {}

    @OnJobEvent('completed')
    onCompleted() {
      this.log.add('completed');
    }
  }
  const { app, log } = await startApp({ imports: [registerMail()], providers: [Anything] });
  const metrics = app.get(HoldfastMetrics);
  await metrics.text();
  const jobs = Array.from({ length: 150 }, (_, index) => ({ name: `made up ${index}`, payload: null }));
  await app.get(getQueueToken('mail')).enqueueMany(jobs);
  await log.seen('completed', 150);
  const attempts = [...samplesIn(await metrics.text())].filter(([key]) => key.startsWith('holdfast_job_attempts'));
  expect(attempts).toHaveLength(101);
  expect(attempts.find(([key]) => key.includes('job="other"'))?.[1]).toBe(50);
});

it('stand in docs/telemetry.md with type, labels and meaning', () => {
  const page = readFileSync(new URL('../../../../docs/telemetry.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(holdfast_\w+)` \| (\w+) \| (.*?) \| (.*?) \|$/gm)].map((row) => row.slice(1));
  expect(rows).toEqual(
    METRICS.map(({ name, type, labels, help }) => [name, type, labels.map((label) => `\`${label}\``).join(', '), help]),
  );
});

it('are those that docs/operating.md alarms by', () => {
  const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
  const named = new Set(page.match(/\bholdfast_\w*[a-z]\b/g));
  expect(named.size).toBeGreaterThan(8);
  expect([...named].filter((name) => !METRICS.some((metric) => metric.name === name))).toEqual([]);
});
