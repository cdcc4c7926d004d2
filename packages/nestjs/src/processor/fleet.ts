import { Injectable } from '@nestjs/common';
import { type Connection } from '../connection/connection.js';
import { type QueueWorker } from './queue-worker.js';

/** What this application runs: its stores, and the workers of their queues. Known once modules are initialized. */
@Injectable()
export class Fleet {
  connections: readonly Connection[] = [];
  readonly #meetWorkers: ((worker: QueueWorker) => void)[] = [];
  #workers: readonly QueueWorker[] = [];

  get workers(): readonly QueueWorker[] {
    return this.#workers;
  }

  set workers(workers: readonly QueueWorker[]) {
    this.#workers = workers;
    for (const meet of this.#meetWorkers) for (const worker of workers) meet(worker);
  }

  /** Calls `meet` for each worker, now or once they are made: constructors of the application ask before that. */
  forEachWorker(meet: (worker: QueueWorker) => void): void {
    this.#meetWorkers.push(meet);
    for (const worker of this.#workers) meet(worker);
  }
}
