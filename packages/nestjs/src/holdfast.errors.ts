import { HoldfastError } from '@holdfast/contract';

/** `forRoot` (or `forRootAsync`) was imported more than once: nobody could say which store a queue is in. */
export class SeveralRootsError extends HoldfastError {
  constructor(roots: number) {
    super(
      'SEVERAL_ROOTS',
      'rejected',
      `HoldfastModule.forRoot or forRootAsync was called ${roots} times in this application, but it has one store. ` +
        'Call it once, in the root module; other modules import HoldfastModule.registerQueue.',
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

  constructor(queue: string, processor: string, registered: readonly string[]) {
    const known = registered.map((name) => `"${name}"`).join(', ') || 'none';
    super(
      'QUEUE_NOT_REGISTERED',
      'rejected',
      `${processor} processes the queue "${queue}", which no module registers (registered: ${known}). ` +
        `Import HoldfastModule.registerQueue({ name: '${queue}' }) in its module, or correct the name in @Processor.`,
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
