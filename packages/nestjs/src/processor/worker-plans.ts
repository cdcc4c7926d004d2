import { InvalidArgumentError } from '@holdfast/contract';
import { type Connection } from '../connection/connection.js';
import {
  ConnectionNotFoundError,
  DuplicateHandlerError,
  NoHandlerError,
  QueueNotRegisteredError,
} from '../holdfast.errors.js';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import {
  ANY_JOB,
  type FoundProcessor,
  type HandlerMethod,
  type ListenerMethod,
  PROCESSOR_OPTION_NAMES,
  type ProcessorOptions,
  placeOf,
} from './processor-metadata.js';

/** The one worker of a queue in this application: what all its processors say together. */
export interface QueueWorkerPlan {
  /** As it is registered. */
  readonly queue: string;
  /** What the store calls it. */
  readonly queueName: string;
  readonly connection: Connection;
  /** Class names, for messages. */
  readonly places: readonly string[];
  readonly handlers: ReadonlyMap<HandlerMethod['job'], HandlerMethod>;
  readonly listeners: readonly ListenerMethod[];
  readonly options: ProcessorOptions;
}

/**
 * @throws ConnectionNotFoundError, QueueNotRegisteredError, DuplicateHandlerError, NoHandlerError; InvalidArgumentError
 * when two processors of a queue give one option different values.
 */
export function planWorkers(
  processors: readonly FoundProcessor[],
  connections: readonly Connection[],
): QueueWorkerPlan[] {
  const byConnection = new Map(connections.map((connection) => [connection, new Map<string, FoundProcessor[]>()]));
  for (const processor of processors) {
    const byQueue = byConnection.get(connectionOf(processor, connections))!;
    byQueue.set(processor.queue, [...(byQueue.get(processor.queue) ?? []), processor]);
  }
  return [...byConnection].flatMap(([connection, byQueue]) =>
    [...byQueue].map(([queue, all]) => planWorker(queue, connection, all)),
  );
}

function connectionOf({ connection: name, queue, place }: FoundProcessor, all: readonly Connection[]): Connection {
  const connection = all.find((other) => other.name === name);
  if (connection === undefined) {
    throw new ConnectionNotFoundError(
      name,
      place,
      all.map((other) => other.name),
    );
  }
  if (connection.queues.names.includes(queue)) return connection;
  const named = name === DEFAULT_CONNECTION ? undefined : name;
  throw new QueueNotRegisteredError(queue, place, connection.queues.names, named);
}

function planWorker(queue: string, connection: Connection, processors: readonly FoundProcessor[]): QueueWorkerPlan {
  const handlers = new Map<HandlerMethod['job'], HandlerMethod>();
  for (const handler of processors.flatMap((processor) => processor.handlers)) {
    const other = handlers.get(handler.job);
    if (other !== undefined) {
      const job = handler.job === ANY_JOB ? undefined : handler.job;
      throw new DuplicateHandlerError(queue, job, [placeOf(other), placeOf(handler)]);
    }
    handlers.set(handler.job, handler);
  }
  for (const { options, place } of processors) checkFileNames(queue, options, place, handlers);
  if (handlers.size === 0 && processors.every(({ options }) => options.isolation === undefined)) {
    throw new NoHandlerError(processors[0]!.place, queue, 'no method of the application handles its jobs.');
  }
  return {
    queue,
    queueName: connection.queues.queueName(queue),
    connection,
    places: processors.map(({ place }) => place),
    handlers,
    listeners: processors.flatMap((processor) => processor.listeners),
    options: Object.assign({}, ...PROCESSOR_OPTION_NAMES.map((option) => oneValueOf(option, processors))),
  };
}

/** @throws DuplicateHandlerError where a method wants jobs that a file handles, too. */
function checkFileNames(
  queue: string,
  { names = [] }: ProcessorOptions,
  place: string,
  handlers: QueueWorkerPlan['handlers'],
) {
  for (const name of names) {
    const method = handlers.get(name);
    if (method !== undefined) throw new DuplicateHandlerError(queue, name, [placeOf(method), `the file of ${place}`]);
  }
}

function oneValueOf(option: keyof ProcessorOptions, processors: readonly FoundProcessor[]): ProcessorOptions {
  const given = processors.filter(({ options }) => options[option] !== undefined);
  const [first] = given;
  const other = given.find(({ options }) => !Object.is(options[option], first?.options[option]));
  if (first === undefined) return {};
  if (other === undefined) return { [option]: first.options[option] };
  throw new InvalidArgumentError(
    `${option} of the queue "${first.queue}"`,
    `${first.options[option]} in ${first.place} but ${other.options[option]} in ${other.place}`,
    'one value: its processors share one worker',
  );
}
