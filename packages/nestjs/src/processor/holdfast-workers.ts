import { InvalidArgumentError } from '@holdfast/contract';
import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Connection } from '../connection/connection.js';
import { DEFAULT_CONNECTION } from '../holdfast.tokens.js';
import { Fleet } from './fleet.js';
import { ProcessorCalls } from './processor-calls.js';
import { ProcessorExplorer } from './processor-explorer.js';
import { QueueWorker, type QueueWorkerReport } from './queue-worker.js';
import { planWorkers } from './worker-plans.js';

/**
 * The workers of the application, one a queue that has processors. Made while modules are initialized, so that a
 * mistake ends the boot; at work after all of them are, unless `autoStart: false` keeps them back; closed before
 * connections are, while handlers can still use everything and enqueue.
 */
@Injectable()
export class HoldfastWorkers implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #discovery: DiscoveryService;
  readonly #explorer: ProcessorExplorer;
  readonly #calls: ProcessorCalls;
  readonly #fleet: Fleet;
  #up = false;
  /** What `start` was asked for before the application was up. */
  readonly #asked: (readonly [queue: string | undefined, connection: string | undefined])[] = [];

  constructor(discovery: DiscoveryService, explorer: ProcessorExplorer, calls: ProcessorCalls, fleet: Fleet) {
    this.#fleet = fleet;
    this.#discovery = discovery;
    this.#calls = calls;
    this.#explorer = explorer;
  }

  /**
   * Lets the worker of a queue, or all of them, begin to claim: for those with `autoStart: false`. Asked for before the
   * application is up, they begin when it is. Workers that are at work stay so.
   * @throws InvalidArgumentError when no processor of the application works on that queue; WorkerClosedError when the
   * application ends.
   */
  start(queue?: string, connection?: string): void {
    if (this.#up) for (const worker of this.#of(queue, connection)) worker.start();
    else this.#asked.push([queue, connection]);
  }

  /** The workers here: which jobs they handle, whether they claim, and how busy they are. */
  list(): QueueWorkerReport[] {
    return this.#fleet.workers.map((worker) => worker.report());
  }

  async onModuleInit(): Promise<void> {
    const connections = this.#connections();
    try {
      const plans = planWorkers(await this.#explorer.find(), connections);
      this.#fleet.workers = plans.map((plan) => new QueueWorker(plan, this.#calls));
    } catch (error) {
      await Promise.allSettled(connections.map((connection) => connection.refuse(error)));
      throw error;
    }
    this.#fleet.connections = connections;
    for (const connection of connections) connection.booted();
  }

  onApplicationBootstrap(): void {
    for (const connection of this.#fleet.connections) connection.up();
    this.#up = true;
    for (const worker of this.#fleet.workers) if (worker.autoStart) worker.start();
    for (const [queue, connection] of this.#asked) this.start(queue, connection);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.#fleet.workers.map((worker) => worker.close()));
  }

  #connections(): Connection[] {
    return this.#discovery
      .getProviders()
      .map(({ instance }): unknown => instance)
      .filter((instance) => instance instanceof Connection);
  }

  #of(queue: string | undefined, connection: string | undefined): QueueWorker[] {
    const found = this.#fleet.workers.filter((worker) => worker.isOf(queue, connection));
    if (found.length > 0 || queue === undefined) return found;
    const where = connection === undefined || connection === DEFAULT_CONNECTION ? '' : ` of "${connection}"`;
    const known = this.#fleet.workers.map((worker) => `"${worker.name}"`).join(', ') || 'none';
    throw new InvalidArgumentError(`queue to start${where}`, queue, `one that has processors here: ${known}`);
  }
}
