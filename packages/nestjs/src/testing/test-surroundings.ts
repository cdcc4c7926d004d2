import { AsyncLocalStorage } from 'node:async_hooks';
import { type Enqueued, type JobStore, type NewJob } from '@holdfast/contract';
import { jsonCodec } from '@holdfast/core';
import { EnqueuedJobs, HeldWorkers, memoryStore, SeededRandom, VirtualClock } from '@holdfast/testing';
import { Inject, Injectable, Optional } from '@nestjs/common';
import { type Connection } from '../connection/connection.js';
import { type Surroundings } from '../surroundings.js';
import { HOLDFAST_TESTING_OPTIONS, type HoldfastTestingOptions } from './holdfast-testing-options.js';

/** The same chance in each run: retries come at the same moments. */
const SEED = 1;

/** Stores in memory, a clock that tests move, and workers that are held back. */
@Injectable()
export class TestSurroundings implements Surroundings {
  readonly clock: VirtualClock;
  readonly workers: HeldWorkers;
  readonly enqueued = new EnqueuedJobs();
  readonly stores: JobStore[] = [];
  /** What follows an enqueue where jobs are to be done at once. */
  afterEnqueue: (() => Promise<unknown>) | undefined;
  readonly #inHandler = new AsyncLocalStorage<true>();
  readonly #inline: boolean;

  constructor(@Optional() @Inject(HOLDFAST_TESTING_OPTIONS) options: HoldfastTestingOptions = {}) {
    this.#inline = options.inline ?? false;
    this.clock = new VirtualClock({ wallMs: Number(options.now ?? Date.now()) });
    this.workers = new HeldWorkers(this.clock);
  }

  async openStore(): Promise<JobStore> {
    const random = new SeededRandom(SEED + this.stores.length);
    const store = memoryStore({ clock: this.clock, random, ignoresTransactions: true });
    this.stores.push(store);
    return store;
  }

  storeOfWorkers(store: JobStore): JobStore {
    return this.workers.hold(store);
  }

  letEnd(closing: Promise<void>): Promise<void> {
    return this.workers.during(closing);
  }

  meet(connection: Connection): void {
    if (this.#inline) connection.putAround((_job, _context, work) => this.#inHandler.run(true, work));
    connection.interceptEnqueue(async (jobs, enqueue) => {
      const answers = await enqueue(jobs);
      for (const [index, job] of jobs.entries()) this.#note(job, answers[index]!, connection);
      // A handler that waited for the end of its own work would wait for ever.
      if (this.#inline && this.#inHandler.getStore() === undefined) await this.afterEnqueue?.();
      return answers;
    });
  }

  /** What was there already was not enqueued. */
  #note({ payload, ...job }: NewJob, { id, outcome }: Enqueued, { queues }: Connection): void {
    if (outcome === 'duplicate') return;
    const known = queues.names.find((name) => (queues.settings(name)?.queueName ?? name) === job.queue);
    const codec = (known === undefined ? undefined : queues.settings(known)?.codec) ?? jsonCodec;
    this.enqueued.add({ ...job, id, queue: known ?? job.queue, payload: codec.decode(payload) });
  }
}
