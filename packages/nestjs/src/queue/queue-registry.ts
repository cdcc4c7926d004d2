import { InvalidArgumentError, type JobStore } from '@holdfast/contract';
import { type Queue } from '@holdfast/core';
import { type QueueSettings } from '../holdfast-options.js';
import { type QueueRegistration } from './queue-registration.js';
import { type PlaceOf, RegisteredQueue } from './registered-queue.js';

/** The queues of one store: one `Queue` a name, however many modules register it. */
export class QueueRegistry {
  readonly #store: JobStore;
  readonly #placeOf: PlaceOf;
  readonly #queues = new Map<string, RegisteredQueue>();

  constructor(store: JobStore, placeOf: PlaceOf) {
    this.#store = store;
    this.#placeOf = placeOf;
  }

  get names(): string[] {
    return [...this.#queues.keys()];
  }

  /** Each that can be found, before any queue is made. @throws QueueConflictError */
  expect(registration: QueueRegistration): void {
    this.#registered(registration.name).expect(registration);
  }

  /** What a registration says of its queue, once that is known. @throws QueueConflictError */
  async hear(registration: QueueRegistration, settings: QueueSettings): Promise<void> {
    this.#registered(registration.name).hear(registration, settings);
  }

  /**
   * Also for a module that was loaded after the boot, whose registration was not there to be found.
   * @throws QueueConflictError when two registrations of a queue differ in what they say about its jobs.
   */
  async queue(registration: QueueRegistration, settings: QueueSettings): Promise<Queue> {
    return this.#registered(registration.name).join(registration, settings);
  }

  /** What all registrations of the queue together say; `undefined` when there is none. Known once the modules are made. */
  settings(name: string): QueueSettings | undefined {
    return this.#queues.get(name)?.settings;
  }

  /**
   * What the store calls the queue.
   * @throws InvalidArgumentError when another name means the same queue: it would have two workers.
   */
  queueName(name: string): string {
    const queueName = this.settings(name)?.queueName ?? name;
    const other = this.names.find(
      (known) => known !== name && (this.settings(known)?.queueName ?? known) === queueName,
    );
    if (other === undefined) return queueName;
    throw new InvalidArgumentError(
      `queueName of the queue "${name}"`,
      queueName,
      `another one than that of the queue "${other}"`,
    );
  }

  #registered(name: string): RegisteredQueue {
    const known = this.#queues.get(name);
    if (known !== undefined) return known;
    const queue = new RegisteredQueue(name, this.#store, this.#placeOf);
    this.#queues.set(name, queue);
    return queue;
  }
}
