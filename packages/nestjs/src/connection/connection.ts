import { type Enqueued, type JobStore, type NewJob } from '@holdfast/contract';
import { Logger } from '@nestjs/common';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { type HoldfastOptions } from '../holdfast-options.js';
import { QueueRegistry } from '../queue/queue-registry.js';
import { type PlaceOf } from '../queue/registered-queue.js';
import { type Surroundings } from '../surroundings.js';
import { type BootStores } from './boot-stores.js';

/** Stands between the queues of the application and the store: may change the jobs, and sees what became of them. */
export type EnqueueInterceptor = (
  jobs: readonly NewJob[],
  enqueue: (jobs: readonly NewJob[]) => Promise<Enqueued[]>,
) => Promise<Enqueued[]>;

type Around = NonNullable<HoldfastOptions['around']>;

/** Named as the connection. */
export function connectionLogger(name: string | undefined): Logger {
  return new Logger(name === undefined || name === DEFAULT_CONNECTION ? 'Holdfast' : `Holdfast ${name}`);
}

/** One store of the application, with the queues that are kept in it. */
export class Connection {
  readonly name: string;
  readonly store: JobStore;
  readonly options: HoldfastOptions;
  readonly queues: QueueRegistry;
  /** Absent in the real world. */
  readonly surroundings: Surroundings | undefined;
  /** For the application's log. */
  readonly logger: Logger;
  readonly #bootStores: BootStores;
  readonly #interceptors: EnqueueInterceptor[] = [];
  readonly #arounds: Around[] = [];
  #booted = false;
  #handedBack = 0;

  constructor(
    name: string | undefined,
    store: JobStore,
    options: HoldfastOptions,
    bootStores: BootStores,
    placeOf: PlaceOf,
    surroundings?: Surroundings,
  ) {
    this.#bootStores = bootStores;
    this.name = name ?? DEFAULT_CONNECTION;
    this.logger = connectionLogger(name);
    this.store = store;
    this.options = options;
    this.surroundings = surroundings;
    this.queues = new QueueRegistry(withEnqueue(store, this.#enqueue), placeOf);
  }

  /** For every job that a queue of the application stores from now on. The last one stands next to the store. */
  interceptEnqueue(interceptor: EnqueueInterceptor): void {
    this.#interceptors.push(interceptor);
  }

  /** What surrounds each job and its hooks; `undefined` where nothing does. */
  get around(): Around | undefined {
    const { around } = this.options;
    const all = around === undefined ? this.#arounds : [...this.#arounds, around];
    const [outermost, ...others] = all;
    return outermost === undefined ? undefined : others.reduce(inside, outermost);
  }

  /** Outside of what the options put around each job, and inside of what was put there before. */
  putAround(around: Around): void {
    this.#arounds.push(around);
  }

  /** From now on a mistake is that of one module, loaded later, and the others go on. @throws StoreTakenOverError */
  booted(): void {
    this.#bootStores.over();
    this.#booted = true;
  }

  /** Workers may begin. @throws StoreTakenOverError */
  up(): void {
    this.#bootStores.up();
  }

  /** Closes the store, for good. */
  async close(): Promise<void> {
    await this.store.close();
    this.#bootStores.closed(this.store);
  }

  /** A job was handed back unfinished, because the application ends. */
  noteHandedBack(): void {
    this.#handedBack++;
  }

  get handedBack(): number {
    return this.#handedBack;
  }

  /** A mistake was found. While the application boots, that closes the stores of all its connections. @throws the error */
  async refuse(error: unknown): Promise<never> {
    // Also one whose module is loaded when the application has long been up. That closing fails too need not be told.
    if (!this.#booted) await this.store.close().catch(() => undefined);
    return this.#bootStores.fail(error);
  }

  readonly #enqueue: JobStore['enqueue'] = (jobs, ...rest) => {
    let enqueue = (changed: readonly NewJob[]) => this.store.enqueue(changed, ...rest);
    for (const interceptor of this.#interceptors.toReversed()) {
      const next = enqueue;
      enqueue = (changed) => interceptor(changed, next);
    }
    return enqueue(jobs);
  };
}

function inside(outer: Around, inner: Around): Around {
  return (job, context, work) => outer(job, context, () => inner(job, context, work));
}

/** The store, but for its `enqueue`. */
function withEnqueue(store: JobStore, enqueue: JobStore['enqueue']): JobStore {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'enqueue') return enqueue;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
