import { CancelJob, Snooze } from '@holdfast/contract';
import { type Job, type Queue, type WorkerEvents } from '@holdfast/core';
import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { EventLog } from '../../test/event-log.js';
import { startApp } from '../../test/start-app.js';
import { OnJobEvent } from '../decorators/on-job-event.decorator.js';
import { Process } from '../decorators/process.decorator.js';
import { Processor } from '../decorators/processor.decorator.js';
import { HoldfastModule } from '../holdfast.module.js';
import { getQueueToken } from '../holdfast.tokens.js';
import { type HoldfastOptions } from '../holdfast-options.js';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('test');

beforeAll(() => {
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
  propagation.setGlobalPropagator(new CompositePropagator({ propagators }));
});

beforeEach(() => exporter.reset());

afterAll(() => {
  trace.disable();
  context.disable();
  propagation.disable();
});

@Processor('mail')
class Mailer {
  constructor(private readonly log: EventLog) {}

  @Process('send')
  async send({ headers }: Job) {
    await new Promise((resolve) => setImmediate(resolve));
    this.log.add(`sent in ${trace.getActiveSpan()?.spanContext().traceId}`);
    return headers ?? null;
  }

  @Process('fail')
  fail() {
    throw new RangeError('no such street');
  }

  @Process('later')
  later() {
    throw new Snooze(3_600_000);
  }

  @Process('needless')
  needless() {
    throw new CancelJob();
  }

  @OnJobEvent('released')
  onReleased() {
    this.log.add('released');
  }

  @OnJobEvent('cancelled')
  onCancelled() {
    this.log.add('cancelled');
  }

  @OnJobEvent('completed')
  onCompleted(_: WorkerEvents['completed']) {
    this.log.add(`completed in ${trace.getActiveSpan()?.spanContext().traceId}`);
  }

  @OnJobEvent('dead')
  onDead() {
    this.log.add(`dead in ${trace.getActiveSpan()?.spanContext().traceId}`);
  }
}

async function startMail(options: Partial<HoldfastOptions> = {}) {
  const imports = [HoldfastModule.registerQueue({ name: 'mail', defaults: { maxAttempts: 1 } })];
  const { app, log } = await startApp({ imports, providers: [Mailer] }, { tracing: true, ...options });
  return { log, mail: app.get(getQueueToken('mail')) };
}

/** What the caller's own span is called, and its trace. */
async function inRequest<Result>(work: (traceId: string) => Promise<Result>): Promise<Result> {
  return tracer.startActiveSpan('POST /orders', async (span) => {
    try {
      return await work(span.spanContext().traceId);
    } finally {
      span.end();
    }
  });
}

function spanOf(kind: SpanKind): ReadableSpan {
  return exporter.getFinishedSpans().find((span) => span.kind === kind)!;
}

it('a request, what it enqueues and the attempt are one trace; handler and hooks stand in it', async () => {
  const { log, mail } = await startMail();
  const { id, traceId } = await inRequest(async (traceId) => ({ ...(await mail.enqueue('send', null)), traceId }));
  await Promise.all([log.seen(`sent in ${traceId}`), log.seen(`completed in ${traceId}`)]);
  const [producer, consumer] = [spanOf(SpanKind.PRODUCER), spanOf(SpanKind.CONSUMER)];
  expect(consumer.spanContext().traceId).toBe(traceId);
  expect(consumer.parentSpanContext?.spanId).toBe(producer.spanContext().spanId);
  expect([producer.name, consumer.name]).toEqual(['enqueue mail', 'process mail']);
  expect(producer.attributes).toMatchObject({ 'messaging.system': 'holdfast', 'messaging.message.id': id });
  expect(consumer.attributes).toMatchObject({
    'messaging.destination.name': 'mail',
    'messaging.operation.type': 'process',
    'messaging.message.id': id,
    'holdfast.job.name': 'send',
    'holdfast.job.attempt': 1,
  });
});

it('an attempt that fails is a span with the error, and so is a call that enqueues nothing', async () => {
  const { log, mail } = await startMail();
  const traceId = await inRequest(async (traceId) => {
    await mail.enqueue('fail', null);
    return traceId;
  });
  await log.seen(`dead in ${traceId}`);
  expect(spanOf(SpanKind.CONSUMER).status).toEqual({
    code: SpanStatusCode.ERROR,
    message: 'RangeError: no such street',
  });
  expect(spanOf(SpanKind.CONSUMER).events.map(({ name }) => name)).toEqual(['exception']);
  exporter.reset();
  await expect(mail.enqueue('x'.repeat(10_000), null)).rejects.toThrow();
  expect(spanOf(SpanKind.PRODUCER).status.code).toBe(SpanStatusCode.ERROR);
});

it('a handler that snoozes, or cancels its job, has not failed, and neither has its span', async () => {
  const { log, mail } = await startMail();
  await mail.enqueue('later', null);
  await mail.enqueue('needless', null);
  await Promise.all([log.seen('released'), log.seen('cancelled')]);
  const attempts = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CONSUMER);
  expect(attempts.map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET]);
});

it('what around throws before it has made a promise ends the span of the attempt, as an error', async () => {
  const { log, mail } = await startMail({
    around: ({ payload }, _context, work) => {
      (payload as { tenant: string }).tenant.toUpperCase();
      return work();
    },
  });
  await mail.enqueue('send', null);
  await log.seen('dead in undefined');
  expect(spanOf(SpanKind.CONSUMER)?.status.code).toBe(SpanStatusCode.ERROR);
});

it('a baggage that does not fit beside the headers of a job is left behind, and the job is stored', async () => {
  const { log, mail } = await startMail();
  const entries = { one: { value: 'a'.repeat(4_000) }, other: { value: 'b'.repeat(4_000) } };
  const headers = { note: 'c'.repeat(500) };
  const enqueue = () => inRequest(async (traceId) => ({ ...(await mail.enqueue('send', null, { headers })), traceId }));
  const baggage = propagation.setBaggage(context.active(), propagation.createBaggage(entries));
  const { id, traceId } = await context.with(baggage, enqueue);
  await log.seen(`completed in ${traceId}`);
  expect((await mail.job(id))?.result).toEqual({ ...headers, traceparent: expect.stringContaining(traceId) });
});

it('headers of your own travel too, and a trace that they name is kept', async () => {
  const { log, mail } = await startMail();
  const theirs = '0af7651916cd43dd8448eb211c80319c';
  const headers = { tenant: 'ada', traceparent: `00-${theirs}-b7ad6b7169203331-01` };
  const { id } = await inRequest(() => mail.enqueue('send', null, { headers }));
  await log.seen(`completed in ${theirs}`);
  expect((await mail.job(id))?.result).toEqual(headers);
});

it('a call that is repeated by its request id is the same call, whatever trace it is repeated in', async () => {
  const { mail } = await startMail();
  const enqueue = (queue: Queue) => inRequest(() => queue.enqueue('send', null, { requestId: 'order 7' }));
  expect((await enqueue(mail)).id).toBe((await enqueue(mail)).id);
});

it('surrounds what the application puts around its jobs', async () => {
  const seen: unknown[] = [];
  const { log, mail } = await startMail({
    around: (_job, _context, work) => {
      seen.push(trace.getActiveSpan()?.spanContext().traceId);
      return work();
    },
  });
  const traceId = await inRequest(async (id) => {
    await mail.enqueue('send', null);
    return id;
  });
  await log.seen(`completed in ${traceId}`);
  expect(seen).toEqual([traceId]);
});

it('without tracing, nothing is added', async () => {
  const { log, mail } = await startMail({ tracing: false });
  const { id } = await inRequest(() => mail.enqueue('send', null));
  await log.seen('completed in undefined');
  expect((await mail.job(id))?.result).toBeNull();
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['POST /orders']);
});
