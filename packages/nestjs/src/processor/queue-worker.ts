import { type Worker } from '@holdfast/core';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { makeWorker } from './make-worker.js';
import { type ProcessorCalls } from './processor-calls.js';
import { ANY_JOB } from './processor-metadata.js';
import { type QueueWorkerPlan } from './worker-plans.js';

/** What a worker of this application does. */
export interface QueueWorkerReport {
  /** As it is registered. */
  readonly queue: string;
  /** What the store calls it. */
  readonly queueName: string;
  readonly connection: string;
  /** What the store shows beside the jobs that run here. */
  readonly worker: string;
  /** The job names that are handled here, or `all`. Jobs of other names are left waiting. */
  readonly names: readonly string[] | 'all';
  /** `idle`: made, but not started. */
  readonly state: 'idle' | 'working' | 'closed';
  /** Handlers at work now. */
  readonly running: number;
}

/** The worker of one queue, made of what all its processors here say together. */
export class QueueWorker {
  readonly #plan: QueueWorkerPlan;
  readonly #worker: Worker;
  #state: QueueWorkerReport['state'] = 'idle';

  /** @throws InvalidArgumentError naming the option. */
  constructor(plan: QueueWorkerPlan, calls: ProcessorCalls) {
    this.#plan = plan;
    this.#worker = makeWorker(plan, calls);
  }

  get name(): string {
    return this.#plan.queue;
  }

  get autoStart(): boolean {
    return this.#plan.options.autoStart ?? true;
  }

  isOf(queue: string | undefined, connection: string | undefined): boolean {
    if (queue === undefined) return connection === undefined || this.#plan.connection.name === connection;
    return this.#plan.queue === queue && this.#plan.connection.name === (connection ?? DEFAULT_CONNECTION);
  }

  start(): void {
    this.#worker.start();
    this.#state = 'working';
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    await this.#worker.close();
  }

  report(): QueueWorkerReport {
    const { queue, queueName, connection, handlers } = this.#plan;
    const names = [...handlers.keys()].filter((job) => job !== ANY_JOB);
    return {
      queue,
      queueName,
      connection: connection.name,
      worker: this.#worker.name,
      names: handlers.has(ANY_JOB) ? 'all' : names,
      state: this.#state,
      running: this.#worker.running,
    };
  }
}
