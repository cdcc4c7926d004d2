import { type LeasedJob, type LeaseRef, WorkerClosedError } from '@holdfast/contract';
import { type CancelledRuns, cancelledRunsOf } from './cancelled-runs.js';
import { claimUntilStopped } from './claim-loop.js';
import { Emitter, warn } from './emitter.js';
import { JobNotes } from './job-notes.js';
import type { JobMap } from './job-options.js';
import { type RunParts, runJob } from './job-run.js';
import { LeaseKeeper } from './lease-keeper.js';
import { endsWithin } from './retry-pause.js';
import { ABORT_MS, type Runaway, Runaways } from './runaways.js';
import { RunningJob } from './running-job.js';
import { Settlement } from './settlement.js';
import { Slots } from './slots.js';
import type { WorkerEvents, WorkerStep } from './worker-events.js';
import { checkedGrace, planWorker, type WorkerOptions, type WorkerPlan } from './worker-options.js';

/** For the last calls to a store that may be gone. */
const LAST_CALLS_MS = 2000;

/**
 * Claims jobs and runs their handlers, `concurrency` of them at a time. While a handler runs its lease is extended; how
 * it ended is told to the store. A store that fails is tried again until it is back or closed: no error ends a worker
 * silently.
 */
export class Worker<Jobs extends object = JobMap> {
  readonly #plan: WorkerPlan;
  readonly #slots: Slots;
  readonly #events = new Emitter<WorkerEvents>();
  readonly #runaways: Runaways;
  readonly #leases: LeaseKeeper;
  readonly #notes: JobNotes;
  readonly #settlement: Settlement;
  readonly #cancelledRuns: CancelledRuns;
  readonly #runParts: RunParts;
  readonly #noMoreClaims = new AbortController();
  readonly #noMoreRetries = new AbortController();
  #claiming: Promise<void> | undefined;
  #hearNoMoreCancels: (() => void) | undefined;
  #tellNoMoreCancelledRuns: (() => void) | undefined;
  #closed: Promise<void> | undefined;

  /** @throws InvalidArgumentError naming the option. */
  constructor(options: WorkerOptions<Jobs>) {
    this.#plan = planWorker(options);
    this.#slots = new Slots(this.#plan.concurrency);
    const { store, clock, leaseMs, name } = this.#plan;
    this.#runaways = new Runaways(clock, this.#events);
    this.#cancelledRuns = cancelledRunsOf(store);
    this.#leases = new LeaseKeeper({
      store,
      clock,
      leaseMs,
      runs: this.#slots.runs,
      onLost: (run, why) => this.#lost(run, why),
      onError: (error) => this.#tellError(error, 'extend'),
      onBlocked: (blockedMs, [first, second]) => {
        const only = first !== undefined && second === undefined ? { job: first.leased } : {};
        this.#events.emit('blocked', { blockedMs, ...only });
      },
    });
    this.#notes = new JobNotes({
      store,
      clock,
      events: this.#events,
      onLost: (run, answer) => this.#leases.lost(run, answer),
      onError: (error) => this.#tellError(error, 'note'),
    });
    this.#settlement = new Settlement({
      store,
      clock,
      workerName: name,
      callsMax: this.#plan.claimsInHalves ? 2 : 1,
      stopped: this.#noMoreRetries.signal,
      onRetry: (error) => this.#tellError(error, 'settle'),
    });
    this.#runParts = this.#partsOfRuns();
  }

  get name(): string {
    return this.#plan.name;
  }

  /** Handlers at work now. */
  get running(): number {
    return this.#slots.handling;
  }

  /** Handlers that still run though their attempts were given up after `timeoutMs`. They hold no slot, and no lease. */
  runaways(): Runaway[] {
    return this.#runaways.list();
  }

  /** Returns the call that removes the listener. Errors that nobody listens to become process warnings. */
  on<Name extends keyof WorkerEvents>(name: Name, listener: (event: WorkerEvents[Name]) => void): () => void {
    return this.#events.on(name, listener);
  }

  /** Begins to claim. Calling it again does nothing. @throws WorkerClosedError after `close`. */
  start(): this {
    if (this.#closed !== undefined) throw new WorkerClosedError(this.name);
    this.#hearNoMoreCancels ??= this.#plan.store.onLeasesCancelled?.((leases) => this.#cancelled(leases));
    this.#tellNoMoreCancelledRuns ??= this.#cancelledRuns.expect(this.name, this.#plan.clock);
    this.#claiming ??= claimUntilStopped({
      plan: this.#plan,
      slots: this.#slots,
      begin: (job) => this.#begin(job),
      handBack: (jobs) => this.#handBack(jobs),
      onError: (error) => this.#tellError(error, 'claim'),
      stopped: this.#noMoreClaims.signal,
    });
    return this;
  }

  /**
   * Claims no more, lets handlers work on for `graceMs` with their leases extended, then aborts their signals and hands
   * back, uncounted, what still runs. Ends within `graceMs` and 3 s, also when handlers or the store hang; leaves no
   * timer. Runaways are not waited for. Calling it again answers with the end of the first call. Rejects only with
   * InvalidArgumentError, for a `graceMs` that is none; nothing is closed then.
   */
  close({ graceMs = this.#plan.graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    try {
      this.#closed ??= this.#shutDown(checkedGrace(graceMs));
    } catch (error) {
      return Promise.reject(error);
    }
    return this.#closed;
  }

  async #shutDown(graceMs: number): Promise<void> {
    const { clock } = this.#plan;
    this.#noMoreClaims.abort();
    const allDone = Promise.all([this.#claiming, this.#slots.emptied()]);
    if (!(await endsWithin(clock, graceMs, allDone))) {
      for (const run of [...this.#slots.runs]) run.abort('shutdown');
      if (!(await endsWithin(clock, ABORT_MS, allDone))) {
        const left = [...this.#slots.runs].filter((run) => run.letGo());
        await endsWithin(clock, LAST_CALLS_MS, this.#handBackRuns(left));
      }
    }
    this.#hearNoMoreCancels?.();
    await endsWithin(clock, ABORT_MS, this.#plan.onClose());
    this.#leases.stop();
    this.#runaways.stop();
    this.#noMoreRetries.abort();
    this.#tellNoMoreCancelledRuns?.();
  }

  #lost(run: RunningJob, why: 'leaseLost' | 'cancelled'): void {
    if (why === 'leaseLost') this.#events.emit('leaseLost', { job: run.leased });
    else {
      this.#cancelledRuns.heard(run, this.#plan.clock);
      this.#events.emit('cancelled', { job: run.leased, by: 'operator' });
    }
  }

  /** Of this worker or of others. */
  #cancelled(leases: readonly LeaseRef[]): void {
    const tokens = new Set(leases.map(({ token }) => token));
    for (const run of [...this.#slots.runs]) {
      if (tokens.has(run.token)) this.#leases.lost(run, 'cancelled');
    }
  }

  async #handBackRuns(runs: readonly RunningJob[]): Promise<void> {
    await this.#notes.flush(runs);
    await this.#handBack(runs.map((run) => run.leased));
  }

  #begin(job: LeasedJob): void {
    const run = new RunningJob(job, this.name, this.#leases, this.#notes, this.#plan.clock.monotonicMs());
    this.#slots.begin(run);
    void runJob(run, this.#runParts);
  }

  #partsOfRuns(): RunParts {
    const { codec, schemas, clock, handlerOf, timeoutMs, backoffs } = this.#plan;
    return {
      codec,
      schemas,
      clock,
      handlerOf,
      timeoutMs,
      backoffs,
      runaways: this.#runaways,
      leases: this.#leases,
      notes: this.#notes,
      settlement: this.#settlement,
      cancelledRuns: this.#cancelledRuns,
      events: this.#events,
      tellError: (error, during, job) => this.#tellError(error, during, job),
      onHandled: () => this.#slots.handled(),
      onEnded: (run) => this.#slots.end(run),
    };
  }

  async #handBack(jobs: readonly LeasedJob[]): Promise<void> {
    await Promise.all(jobs.map((job) => this.#handBackOne(job)));
  }

  async #handBackOne(job: LeasedJob): Promise<void> {
    try {
      const answer = await this.#settlement.settle(job, { kind: 'released' });
      if (answer === 'ok') this.#events.emit('released', { job });
      else this.#events.emit('stale', { job, outcome: 'released', answer });
    } catch (error) {
      this.#tellError(error, 'settle', job);
    }
  }

  #tellError(error: unknown, during: WorkerStep, job?: LeasedJob): void {
    const heard = this.#events.emit('error', job === undefined ? { error, during } : { error, during, job });
    if (!heard) warn(error);
  }
}
