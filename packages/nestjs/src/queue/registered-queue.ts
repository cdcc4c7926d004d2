import { isDeepStrictEqual } from 'node:util';
import { InvalidArgumentError, type JobStore } from '@holdfast/contract';
import { Queue } from '@holdfast/core';
import { QueueConflictError } from '../holdfast.errors.js';
import { type QueueSettings } from '../holdfast-options.js';
import { type QueueRegistration } from './queue-registration.js';
import { checkSettings } from './queue-settings.js';

/** Names the modules behind a registration, for messages. */
export type PlaceOf = (registration: QueueRegistration) => string;

/** A factory that waits for the queue that waits for it would hang the boot without a word. */
const FACTORIES_MS = 30_000;

/** One queue, and what the modules that register it say of it. Made when the last of them has spoken. */
export class RegisteredQueue {
  readonly #name: string;
  readonly #store: JobStore;
  readonly #placeOf: PlaceOf;
  readonly #silent = new Set<QueueRegistration>();
  readonly #heard = new Set<QueueRegistration>();
  readonly #said = new Map<keyof QueueSettings, { readonly value: unknown; readonly by: QueueRegistration }>();
  #waiting: (() => void)[] = [];
  #queue: Queue | undefined;

  constructor(name: string, store: JobStore, placeOf: PlaceOf) {
    this.#name = name;
    this.#store = store;
    this.#placeOf = placeOf;
  }

  get settings(): QueueSettings {
    return Object.fromEntries([...this.#said].map(([setting, { value }]) => [setting, value]));
  }

  /** Before any queue is made. @throws QueueConflictError */
  expect(registration: QueueRegistration): void {
    if (registration.settings === undefined) this.#silent.add(registration);
    else this.#hear(registration, registration.settings);
  }

  /** Once is enough. @throws QueueConflictError, and what is wrong with the settings */
  hear(registration: QueueRegistration, settings: QueueSettings): void {
    checkSettings(this.#name, settings);
    if (!this.#heard.has(registration)) this.#hear(registration, settings);
    this.#silent.delete(registration);
    if (this.#silent.size === 0) for (const go of this.#waiting.splice(0)) go();
  }

  /** @throws QueueConflictError; InvalidArgumentError when a factory of the queue's settings does not answer. */
  async join(registration: QueueRegistration, settings: QueueSettings): Promise<Queue> {
    this.hear(registration, settings);
    if (this.#silent.size > 0) await this.#allSpoke();
    const { queueName = this.#name, ...rest } = this.settings;
    this.#queue ??= new Queue(queueName, { ...rest, store: this.#store });
    return this.#queue;
  }

  #hear(by: QueueRegistration, settings: QueueSettings): void {
    this.#heard.add(by);
    for (const setting of Object.keys(settings) as (keyof QueueSettings)[]) {
      const value = settings[setting];
      if (value === undefined) continue;
      const before = this.#said.get(setting);
      // A queue that is made already cannot take up what a module that is loaded later adds.
      const mustAgree = before !== undefined || this.#queue !== undefined;
      if (!mustAgree) this.#said.set(setting, { value, by });
      else if (!isDeepStrictEqual(before?.value, value)) throw this.#conflict(setting, before?.by, by);
    }
  }

  #conflict(setting: string, first: QueueRegistration | undefined, second: QueueRegistration): QueueConflictError {
    const [earliest = second] = this.#heard;
    return new QueueConflictError(this.#name, setting, [this.#placeOf(first ?? earliest), this.#placeOf(second)]);
  }

  #allSpoke(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(this.#unanswered()), FACTORIES_MS);
      this.#waiting.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #unanswered(): InvalidArgumentError {
    const places = [...this.#silent].map(this.#placeOf).join(' and ');
    return new InvalidArgumentError(
      `registerQueueAsync({ name: '${this.#name}' }) in ${places}`,
      `without settings after ${FACTORIES_MS} ms`,
      'answered by a factory that does not itself wait for this queue, directly or through what it injects',
    );
  }
}
