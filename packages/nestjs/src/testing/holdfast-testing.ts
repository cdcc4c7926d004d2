import { InvalidArgumentError, JOB_STATES, type JobFilter, type JobStore } from '@holdfast/contract';
import { type AdvanceOptions, type DrainOptions, type EnqueuedJob, type ExpectedJob } from '@holdfast/testing';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Fleet } from '../processor/fleet.js';
import { type JobRun, JobRuns, type WorkDone } from './job-runs.js';
import { TestSurroundings } from './test-surroundings.js';

const ACTOR = { actor: 'HoldfastTesting.reset' };
const PAGE_JOBS = 200;

/** Works on jobs when a test says so, and answers what was enqueued and done. */
@Injectable()
export class HoldfastTesting implements OnApplicationBootstrap {
  readonly #surroundings: TestSurroundings;
  readonly #modules: ModuleRef;
  readonly #runs = new JobRuns();
  #up = false;

  constructor(surroundings: TestSurroundings, modules: ModuleRef) {
    this.#surroundings = surroundings;
    this.#modules = modules;
  }

  /** What the clock of stores and workers shows, in epoch milliseconds. `advance` moves it, nothing else does. */
  get now(): number {
    return this.#surroundings.clock.now();
  }

  /** Every attempt that has ended, in order, and how. */
  get runs(): readonly JobRun[] {
    return this.#runs.all;
  }

  /**
   * Lets the workers work until no handler is at work and no job is ready for one, and answers what was done. No time passes: jobs that wait for
   * a delay or a retry stay, and so do those of paused queues, of workers that are not started, and with names that nobody handles.
   * @throws StillWorkingError if handlers do not end in time.
   */
  async drain(options?: DrainOptions): Promise<WorkDone> {
    return this.#work(() => this.#surroundings.workers.drain(options));
  }

  /** Lets time pass for stores and workers, and works on what comes due on the way. Answers what was done. */
  async advance(ms: number, options?: AdvanceOptions): Promise<WorkDone> {
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY)) throw new InvalidArgumentError('ms', ms, 'a time from 0 on');
    return this.#work(() => this.#surroundings.workers.advance(ms, options));
  }

  /** The jobs that the queues of the application stored, in order: all, or those that match. */
  enqueued(expected?: ExpectedJob): EnqueuedJob[] {
    return this.#surroundings.enqueued.all(expected);
  }

  /** Answers the jobs that match: at least one, or as many as `times` says. @throws AssertionError with all that was enqueued. */
  expectEnqueued(expected: ExpectedJob, { times }: { readonly times?: number } = {}): EnqueuedJob[] {
    return this.#surroundings.enqueued.expect(expected, times);
  }

  /** @throws AssertionError with all that was enqueued. */
  expectNotEnqueued(expected: ExpectedJob = {}): void {
    this.#surroundings.enqueued.expect(expected, 0);
  }

  /** For tests that share an application: no job is left, no queue paused, and nothing was enqueued or done. Time stays where it is. */
  async reset(): Promise<void> {
    for (const store of this.#surroundings.stores) await empty(store);
    this.#surroundings.enqueued.clear();
    this.#runs.clear();
  }

  onApplicationBootstrap(): void {
    for (const worker of this.#modules.get(Fleet, { strict: false }).workers) this.#runs.listen(worker);
    this.#surroundings.afterEnqueue = () => this.#surroundings.workers.drain();
    this.#up = true;
  }

  async #work(work: () => Promise<void>): Promise<WorkDone> {
    if (!this.#up) {
      throw new Error(
        'The application is not up, so nobody works on jobs: call `await app.init()` (or `module.init()`) first.',
      );
    }
    const before = this.#runs.all.length;
    await work();
    return this.#runs.since(before);
  }
}

async function empty(store: JobStore): Promise<void> {
  for (const state of ['scheduled', 'ready', 'leased'] as const) await store.cancel({ all: { state } }, ACTOR);
  for (const state of JOB_STATES) await removeAll(store, { state });
  for (const { name, paused } of await store.queues()) if (paused !== undefined) await store.resume(name, ACTOR);
}

async function removeAll(store: JobStore, filter: JobFilter): Promise<void> {
  for (;;) {
    const { rows } = await store.browse(filter, { limit: PAGE_JOBS });
    if (rows.length === 0) return;
    await store.remove({ ids: rows.map(({ id }) => id) }, ACTOR);
  }
}
