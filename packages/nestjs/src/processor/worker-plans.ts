import { InvalidArgumentError } from '@holdfast/contract';
import { DuplicateHandlerError, NoHandlerError, QueueNotRegisteredError } from '../holdfast.errors.js';
import {
  ANY_JOB,
  type FoundProcessor,
  type HandlerMethod,
  type ListenerMethod,
  type ProcessorOptions,
} from './processor-metadata.js';

/** The one worker of a queue in this application: what all its processors say together. */
export interface QueueWorkerPlan {
  readonly queue: string;
  readonly handlers: ReadonlyMap<HandlerMethod['job'], HandlerMethod>;
  readonly listeners: readonly ListenerMethod[];
  readonly options: ProcessorOptions;
}

/**
 * @throws QueueNotRegisteredError, DuplicateHandlerError, NoHandlerError; InvalidArgumentError when two processors of a
 * queue give one option different values.
 */
export function planWorkers(processors: readonly FoundProcessor[], registered: readonly string[]): QueueWorkerPlan[] {
  const byQueue = new Map<string, FoundProcessor[]>();
  for (const processor of processors) {
    if (!registered.includes(processor.queue)) {
      throw new QueueNotRegisteredError(processor.queue, processor.place, registered);
    }
    byQueue.set(processor.queue, [...(byQueue.get(processor.queue) ?? []), processor]);
  }
  return [...byQueue].map(([queue, all]) => planWorker(queue, all));
}

function planWorker(queue: string, processors: readonly FoundProcessor[]): QueueWorkerPlan {
  const handlers = new Map<HandlerMethod['job'], HandlerMethod>();
  for (const handler of processors.flatMap((processor) => processor.handlers)) {
    const other = handlers.get(handler.job);
    if (other !== undefined) {
      const job = handler.job === ANY_JOB ? undefined : handler.job;
      throw new DuplicateHandlerError(queue, job, [other.place, handler.place]);
    }
    handlers.set(handler.job, handler);
  }
  if (handlers.size === 0) {
    throw new NoHandlerError(processors[0]!.place, queue, 'no method of the application handles its jobs.');
  }
  return {
    queue,
    handlers,
    listeners: processors.flatMap((processor) => processor.listeners),
    options: {
      ...oneValueOf('concurrency', processors),
      ...oneValueOf('leaseMs', processors),
    },
  };
}

function oneValueOf(option: keyof ProcessorOptions, processors: readonly FoundProcessor[]): ProcessorOptions {
  const given = processors.filter(({ options }) => options[option] !== undefined);
  const [first] = given;
  const other = given.find(({ options }) => options[option] !== first?.options[option]);
  if (first === undefined) return {};
  if (other === undefined) return { [option]: first.options[option] };
  throw new InvalidArgumentError(
    `${option} of the queue "${first.queue}"`,
    `${first.options[option]} in ${first.place} but ${other.options[option]} in ${other.place}`,
    'one value: its processors share one worker',
  );
}
