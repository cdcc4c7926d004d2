import { type OnApplicationShutdown } from '@nestjs/common';
import { type Connection } from './connection.js';

/**
 * Closes the store in the last of Nest's shutdown hooks, and says so. Nest ends global modules after all others, so everything
 * else may still enqueue until its own last hook has run.
 */
export class StoreCloser implements OnApplicationShutdown {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static of(this: void, connection: Connection): StoreCloser {
    return new StoreCloser(connection);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.#connection.close();
    const { logger, handedBack } = this.#connection;
    logger.log(`The store is closed. Jobs that were handed back unfinished: ${handedBack}.`);
  }
}
