import { type JobStore } from '@holdfast/contract';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { HOLDFAST_STORE } from './holdfast.tokens.js';

/**
 * Closes the store in the last of Nest's shutdown hooks. Nest ends global modules after all others, so everything else
 * may still enqueue until its own last hook has run.
 */
@Injectable()
export class StoreCloser implements OnApplicationShutdown {
  readonly #store: JobStore;

  constructor(@Inject(HOLDFAST_STORE) store: JobStore) {
    this.#store = store;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#store.close();
  }
}
