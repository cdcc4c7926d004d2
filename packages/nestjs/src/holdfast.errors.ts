import { HoldfastError } from '@holdfast/contract';
import { connectionToken, getQueueToken } from './holdfast.tokens.js';

/** Two roots have one name, or none: nobody could say which store a queue is in. */
export class SeveralRootsError extends HoldfastError {
  constructor(roots: number, connection?: string) {
    const which = connection === undefined ? 'without a connection name' : `for the connection "${connection}"`;
    super(
      'SEVERAL_ROOTS',
      'rejected',
      `HoldfastModule.forRoot or forRootAsync was called ${roots} times ${which}, but each store has one root. ` +
        'Call it once, in the root module; other modules import HoldfastModule.registerQueue. ' +
        "A second store is a connection of its own: forRoot({ connection: 'reports', store }).",
    );
  }
}

/** Two methods of the application handle the same jobs. */
export class DuplicateHandlerError extends HoldfastError {
  readonly methods: readonly [string, string];

  constructor(queue: string, job: string | undefined, methods: readonly [string, string]) {
    const which = job === undefined ? 'all other jobs' : `"${job}" jobs`;
    super(
      'DUPLICATE_HANDLER',
      'rejected',
      `${methods[0]} and ${methods[1]} both handle ${which} of the queue "${queue}". Each job needs one handler: remove one of them.`,
    );
    this.methods = methods;
  }
}

/** A processor names a queue that no module registers. */
export class QueueNotRegisteredError extends HoldfastError {
  readonly queue: string;

  constructor(queue: string, processor: string, registered: readonly string[], connection?: string) {
    const known = registered.map((name) => `"${name}"`).join(', ') || 'none';
    const where = connection === undefined ? '' : ` of the connection "${connection}"`;
    super(
      'QUEUE_NOT_REGISTERED',
      'rejected',
      `${processor} processes the queue "${queue}"${where}, which no module registers (registered: ${known}). ` +
        `Import ${getQueueToken(queue, connection)} in its module, or correct the name in @Processor.`,
    );
    this.queue = queue;
  }
}

/** A processor that could never process anything. */
export class NoHandlerError extends HoldfastError {
  constructor(processor: string, queue: string, problem: string) {
    super('NO_HANDLER', 'rejected', `${processor} is a processor of the queue "${queue}", but ${problem}`);
  }
}

/** What processors say of their worker is not possible. The cause names the option and its bounds. */
export class ProcessorOptionError extends HoldfastError {
  readonly queue: string;
  readonly processors: readonly string[];

  constructor(queue: string, processors: readonly string[], cause: HoldfastError) {
    const who = processors.join(', ');
    super('INVALID_ARGUMENT', 'rejected', `The queue "${queue}" has no worker, processors: ${who}. ${cause.message}`, {
      cause,
    });
    this.queue = queue;
    this.processors = processors;
  }
}

/** A class that handles jobs, but that nobody would ask to. */
export class NoProcessorError extends HoldfastError {
  constructor(provider: string, sign: string) {
    super(
      'NO_HANDLER',
      'rejected',
      `${provider} is meant to be a processor (${sign}), but its class has no @Processor: no job would reach it. ` +
        "Put @Processor('queue') on the class.",
    );
  }
}

/** A processor names a connection that no `forRoot` brings. */
export class ConnectionNotFoundError extends HoldfastError {
  readonly connection: string;

  constructor(connection: string, processor: string, known: readonly string[]) {
    super(
      'CONNECTION_NOT_FOUND',
      'rejected',
      `${processor} processes a queue of the connection "${connection}", which this application does not have ` +
        `(it has: ${known.map((name) => `"${name}"`).join(', ') || 'none'}). ` +
        `Import ${connectionToken(connection)} in the root module, or correct the name in @Processor.`,
    );
    this.connection = connection;
  }
}

/** Two modules say different things about one queue. */
export class QueueConflictError extends HoldfastError {
  readonly queue: string;
  readonly places: readonly [string, string];

  constructor(queue: string, setting: string, places: readonly [string, string]) {
    super(
      'QUEUE_CONFLICT',
      'rejected',
      `The queue "${queue}" is registered with two different values of ${setting}: in ${places[0]} and in ${places[1]}. ` +
        'Give it the same ones everywhere, or the name alone in all places but one.',
    );
    this.queue = queue;
    this.places = places;
  }
}

/**
 * Another application of this process opened the log directory of this one while this one was not up. Nest does not tell that it has failed
 * to make an application, so this one was taken for one of those.
 */
export class StoreTakenOverError extends HoldfastError {
  readonly directory: string;

  constructor(directory: string) {
    super(
      'STORE_TAKEN_OVER',
      'rejected',
      `Another application of this process opened ${directory} before this one was up, and took it over. ` +
        'One application at a time owns a log directory: await the end of the one before you start the other.',
    );
    this.directory = directory;
  }
}
