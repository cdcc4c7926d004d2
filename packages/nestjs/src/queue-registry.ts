import { InvalidArgumentError, type JobStore } from '@holdfast/contract';
import { Queue } from '@holdfast/core';
import { type RegisterQueueOptions } from './holdfast-options.js';

/** One call of `registerQueue`: found among the providers of the application. */
export class QueueRegistration {
  readonly options: RegisterQueueOptions;

  constructor(options: RegisterQueueOptions) {
    this.options = options;
  }
}

/** The queues of the application: one `Queue` a name, however many modules register it. */
export class QueueRegistry {
  readonly #store: JobStore;
  readonly #queues = new Map<string, Queue>();
  readonly #options = new Map<string, RegisterQueueOptions>();

  /** @throws InvalidArgumentError when two registrations of a queue differ in what they say about its jobs. */
  constructor(store: JobStore, registrations: Iterable<QueueRegistration>) {
    this.#store = store;
    for (const { options } of registrations)
      this.#options.set(options.name, merge(this.#options.get(options.name), options));
  }

  get names(): string[] {
    return [...this.#options.keys()];
  }

  has(name: string): boolean {
    return this.#options.has(name);
  }

  /** Also for a module that was loaded after the boot, whose registration was not there to be found. */
  queue(registered: RegisterQueueOptions): Queue {
    const { name } = registered;
    const options = this.#options.get(name) ?? registered;
    this.#options.set(name, options);
    const queue = this.#queues.get(name) ?? new Queue(name, { ...options, store: this.#store });
    this.#queues.set(name, queue);
    return queue;
  }

  codecOf(name: string): RegisterQueueOptions['codec'] {
    return this.#options.get(name)?.codec;
  }
}

/**
 * A registration that says nothing more than the name goes with every other; two that say different things are a
 * mistake.
 */
function merge(known: RegisterQueueOptions | undefined, other: RegisterQueueOptions): RegisterQueueOptions {
  if (known === undefined) return other;
  const conflict =
    (known.defaults && other.defaults && JSON.stringify(known.defaults) !== JSON.stringify(other.defaults)) ||
    (known.codec && other.codec && known.codec !== other.codec);
  if (conflict) {
    throw new InvalidArgumentError(
      `registerQueue({ name: '${other.name}' })`,
      'called twice with different defaults or codecs',
      'called with the same ones everywhere, or with the name alone in all places but one',
    );
  }
  return { ...known, ...other };
}
