import { type Clock, HoldfastError } from '@holdfast/contract';
import { createWorker, type Handler, type JobFacts, type Worker, type WorkerOptions } from '@holdfast/core';
import { Logger } from '@nestjs/common';
import { type Connection } from '../connection/connection.js';
import { ProcessorOptionError } from '../holdfast.errors.js';
import { logWorker } from './job-log.js';
import { JobScope } from './job-scope.js';
import { JobScopes } from './job-scopes.js';
import { type JobScopeMaker, type ProcessorCalls } from './processor-calls.js';
import { ANY_JOB, type ListenerMethod } from './processor-metadata.js';
import { type QueueWorkerPlan } from './worker-plans.js';

/** The worker of the plan, with the hooks of its processors. Not started. @throws ProcessorOptionError naming the processors and the option. */
export function makeWorker(plan: QueueWorkerPlan, calls: ProcessorCalls): Worker {
  const { queue, queueName, connection, listeners, options } = plan;
  const { autoStart: _, ...workerOptions } = options;
  const { graceMs } = connection.options;
  const { codec, schemas } = connection.queues.settings(queue) ?? {};
  const scopes = needsScopes(listeners, connection) ? new JobScopes() : undefined;
  const worker = created(plan, {
    ...workerOptions,
    ...handlersOf(plan, calls, scopes),
    ...timeAndStore(connection),
    queue: queueName,
    ...(codec === undefined ? {} : { codec }),
    ...(schemas === undefined ? {} : { schemas }),
    ...(graceMs === undefined ? {} : { graceMs }),
  });
  logWorker(worker, new Logger(`Holdfast ${queueName}`));
  for (const listener of listeners) listen(worker, listener, calls, scopes);
  scopes?.forgetEnded(worker);
  return worker;
}

function created({ queue, places }: QueueWorkerPlan, options: Parameters<typeof createWorker>[0]): Worker {
  try {
    return createWorker(options);
  } catch (error) {
    throw error instanceof HoldfastError ? new ProcessorOptionError(queue, places, error) : error;
  }
}

function timeAndStore({ store, surroundings }: Connection): Pick<WorkerOptions, 'store'> & { readonly clock?: Clock } {
  if (surroundings === undefined) return { store };
  return { store: surroundings.storeOfWorkers(store), clock: surroundings.clock };
}

/** Hooks of singletons need nothing of the attempt that they are told of. */
function needsScopes(listeners: readonly ListenerMethod[], { around }: Connection): boolean {
  return listeners.some(({ processor }) => around !== undefined || processor.instance === undefined);
}

function handlersOf(plan: QueueWorkerPlan, calls: ProcessorCalls, scopes: JobScopes | undefined) {
  const { globalEnhancers = false } = plan.connection.options;
  const begin = scopeMaker(plan.connection, scopes);
  const all = [...plan.handlers].map(([job, method]) => [job, calls.handler(method, globalEnhancers, begin)] as const);
  const forTheRest = all.find(([job]) => job === ANY_JOB)?.[1];
  const byName = all.filter(([job]) => job !== ANY_JOB).map(([job, call]): [string, Handler] => [String(job), call]);
  return { handlers: Object.fromEntries(byName), ...(forTheRest === undefined ? {} : { handler: forTheRest }) };
}

/** What surrounds the handlers: undefined where nothing does. */
function scopeMaker({ around }: Connection, scopes: JobScopes | undefined): JobScopeMaker | undefined {
  if (around === undefined && scopes === undefined) return undefined;
  return (job, context, work) => {
    const scope = scopes?.begin(job, context) ?? new JobScope(job, context);
    if (around === undefined) return work(scope);
    return around(job, context, async () => {
      if (scopes !== undefined) scope.enter();
      return work(scope);
    });
  };
}

function listen(worker: Worker, listener: ListenerMethod, calls: ProcessorCalls, scopes: JobScopes | undefined): void {
  const { event: name } = listener;
  if (name === 'unhandled') return;
  const hook = calls.hook(listener);
  worker.on(name, (event: { readonly job?: JobFacts }) => {
    const scope = scopes === undefined || event.job === undefined ? new JobScope() : scopes.of(event.job);
    return scope.run(() => hook(event, scope));
  });
}
