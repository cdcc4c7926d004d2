import { type JobStore } from '@holdfast/contract';
import { type OnApplicationShutdown } from '@nestjs/common';

/**
 * Closes the store in the last of Nest's shutdown hooks. Nest ends global modules after all others, so everything else
 * may still enqueue until its own last hook has run.
 */
export class StoreCloser implements OnApplicationShutdown {
  readonly #store: JobStore;

  private constructor(store: JobStore) {
    this.#store = store;
  }

  static of(this: void, store: JobStore): StoreCloser {
    return new StoreCloser(store);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#store.close();
  }
}
