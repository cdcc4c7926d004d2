import {
  CancelJob,
  type Enqueued,
  InvalidArgumentError,
  type JobHeaders,
  type NewJob,
  Snooze,
} from '@holdfast/contract';
import { checkEnqueue, checkedExtras } from '@holdfast/contract/rules';
import type * as OpenTelemetry from '@opentelemetry/api';
import { type EnqueueInterceptor } from '../connection/connection.js';
import { type HoldfastOptions } from '../holdfast-options.js';

export interface Tracing {
  readonly onEnqueue: EnqueueInterceptor;
  readonly around: NonNullable<HoldfastOptions['around']>;
}

const SYSTEM = 'holdfast';

/**
 * Spans of OpenTelemetry: one for each call that enqueues, and one for each attempt, whose parent is that of the job. The
 * context travels in the headers of the job.
 * @throws InvalidArgumentError when `@opentelemetry/api` is not installed.
 */
export async function startTracing(): Promise<Tracing> {
  const api = await loadApi();
  const tracer = api.trace.getTracer('@holdfast/nestjs');
  return {
    onEnqueue: (jobs, enqueue) => traceEnqueue(api, tracer, jobs, enqueue),
    around: (job, { attempt, worker }, work) => {
      const parent = api.propagation.extract(api.ROOT_CONTEXT, job.headers ?? {});
      const attributes = {
        ...messaging(job.queue, 'process', 'process'),
        'messaging.message.id': job.id,
        'messaging.client.id': worker,
        'holdfast.job.name': job.name,
        'holdfast.job.attempt': attempt,
      };
      const options = { kind: api.SpanKind.CONSUMER, attributes };
      return tracer.startActiveSpan(`process ${job.queue}`, options, parent, (span) => ended(api, span, work));
    },
  };
}

async function loadApi(): Promise<typeof OpenTelemetry> {
  try {
    return await import('@opentelemetry/api');
  } catch (cause) {
    const error = new InvalidArgumentError(
      'tracing of HoldfastModule',
      true,
      'left out, or used with @opentelemetry/api: npm install @opentelemetry/api',
    );
    error.cause = cause;
    throw error;
  }
}

function traceEnqueue(
  api: typeof OpenTelemetry,
  tracer: OpenTelemetry.Tracer,
  jobs: readonly NewJob[],
  enqueue: (jobs: readonly NewJob[]) => Promise<Enqueued[]>,
): Promise<Enqueued[]> {
  const queue = jobs[0]?.queue ?? '';
  const attributes = { ...messaging(queue, 'enqueue', 'send'), 'messaging.batch.message_count': jobs.length };
  const options = { kind: api.SpanKind.PRODUCER, attributes };
  return tracer.startActiveSpan(`enqueue ${queue}`, options, (span) => {
    const context: Record<string, string> = {};
    api.propagation.inject(api.context.active(), context);
    return ended(api, span, () => enqueue(carrying(context, jobs)).then(noted(span)));
  });
}

/**
 * The jobs with as much of the context as fits beside what they carry already: no trace keeps a job from being stored. What
 * takes most room is left out first: the baggage, which callers fill.
 */
function carrying(context: JobHeaders, jobs: readonly NewJob[]): readonly NewJob[] {
  const entries = Object.entries(context).sort(([, one], [, other]) => one.length - other.length);
  for (; entries.length > 0; entries.pop()) {
    const headers = Object.fromEntries(entries);
    const full = jobs.map((job) => ({ ...job, headers: { ...headers, ...job.headers } }));
    if (haveRoom(full)) return full;
  }
  return jobs;
}

function haveRoom(jobs: readonly NewJob[]): boolean {
  try {
    checkEnqueue(jobs);
    for (const [index, job] of jobs.entries()) checkedExtras(job, index);
    return true;
  } catch {
    // A mistake of the job itself is told by the store.
    return false;
  }
}

/** The id of a job is known once it is stored. */
function noted(span: OpenTelemetry.Span): (answers: Enqueued[]) => Enqueued[] {
  return (answers) => {
    if (answers.length === 1) span.setAttribute('messaging.message.id', answers[0]!.id);
    return answers;
  };
}

function messaging(queue: string, operation: string, type: string) {
  return {
    'messaging.system': SYSTEM,
    'messaging.destination.name': queue,
    'messaging.operation.name': operation,
    'messaging.operation.type': type,
  };
}

async function ended<Result>(
  api: typeof OpenTelemetry,
  span: OpenTelemetry.Span,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isNoFailure(error)) {
      span.recordException(error instanceof Error ? error : String(error));
      span.setStatus({ code: api.SpanStatusCode.ERROR, message: String(error) });
    }
    throw error;
  } finally {
    span.end();
  }
}

/** What handlers throw to say something else. */
function isNoFailure(thrown: unknown): boolean {
  return thrown instanceof Snooze || thrown instanceof CancelJob;
}
