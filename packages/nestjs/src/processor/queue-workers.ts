import { type JobStore } from '@holdfast/contract';
import { createWorker, type Handler, type Worker } from '@holdfast/core';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { HOLDFAST_OPTIONS, HOLDFAST_STORE } from '../holdfast.tokens.js';
import { type HoldfastOptions } from '../holdfast-options.js';
import { QueueRegistry } from '../queue-registry.js';
import { logWorker } from './job-log.js';
import { ProcessorExplorer } from './processor-explorer.js';
import { ANY_JOB } from './processor-metadata.js';
import { planWorkers, type QueueWorkerPlan } from './worker-plans.js';

/**
 * The workers of the application, one a queue that has processors. Made while modules are initialized, so that a
 * mistake ends the boot; at work after all of them are; closed before connections are, while handlers can still use
 * everything and enqueue.
 */
@Injectable()
export class QueueWorkers implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #store: JobStore;
  readonly #options: HoldfastOptions;
  readonly #registry: QueueRegistry;
  readonly #explorer: ProcessorExplorer;
  #workers: readonly Worker[] = [];

  constructor(
    @Inject(HOLDFAST_STORE) store: JobStore,
    @Inject(HOLDFAST_OPTIONS) options: HoldfastOptions,
    registry: QueueRegistry,
    explorer: ProcessorExplorer,
  ) {
    this.#store = store;
    this.#options = options;
    this.#registry = registry;
    this.#explorer = explorer;
  }

  /**
   * A boot that fails here leaves no open store behind: its thread would keep the process alive and the directory
   * locked.
   */
  async onModuleInit(): Promise<void> {
    try {
      const plans = planWorkers(this.#explorer.find(), this.#registry.names);
      this.#workers = plans.map((plan) => this.#create(plan));
    } catch (error) {
      // The mistake is what has to be told, not that closing failed too.
      await this.#store.close().catch(() => undefined);
      throw error;
    }
  }

  onApplicationBootstrap(): void {
    for (const worker of this.#workers) worker.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.close()));
  }

  #create({ queue, handlers, listeners, options }: QueueWorkerPlan): Worker {
    const forTheRest = handlers.get(ANY_JOB);
    const byName = [...handlers].filter(([job]) => job !== ANY_JOB);
    const codec = this.#registry.codecOf(queue);
    const worker = createWorker({
      ...options,
      store: this.#store,
      queue,
      handlers: Object.fromEntries(byName.map(([job, { call }]): [string, Handler] => [String(job), call])),
      ...(forTheRest === undefined ? {} : { handler: forTheRest.call }),
      ...(codec === undefined ? {} : { codec }),
      ...(this.#options.graceMs === undefined ? {} : { graceMs: this.#options.graceMs }),
    });
    logWorker(worker, new Logger(`Holdfast ${queue}`));
    for (const { event, call } of listeners) worker.on(event, call);
    return worker;
  }
}
