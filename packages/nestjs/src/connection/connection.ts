import { type JobStore } from '@holdfast/contract';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { type HoldfastOptions } from '../holdfast-options.js';
import { QueueRegistry } from '../queue/queue-registry.js';

/** One store of the application, with the queues that are kept in it. */
export class Connection {
  readonly name: string;
  readonly store: JobStore;
  readonly options: HoldfastOptions;
  readonly queues: QueueRegistry;
  #booted = false;

  constructor(name: string | undefined, store: JobStore, options: HoldfastOptions, queues: QueueRegistry) {
    this.name = name ?? DEFAULT_CONNECTION;
    this.store = store;
    this.options = options;
    this.queues = queues;
  }

  /** From now on a mistake is that of one module, loaded later, and the others go on. */
  booted(): void {
    this.#booted = true;
  }

  /**
   * A boot that fails leaves no open store behind: its thread would keep the process alive and the directory locked.
   */
  async refuse(error: unknown): Promise<never> {
    // The mistake is what has to be told, not that closing failed too.
    if (!this.#booted) await this.store.close().catch(() => undefined);
    throw error;
  }
}
