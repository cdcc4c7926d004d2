import type { Clock, TimerHandle } from '@holdfast/contract';
import type { Emitter } from './emitter.js';
import { type Outcome, type Timeout, timedOut } from './outcome.js';
import type { RunningJob } from './running-job.js';
import type { JobFacts, WorkerEvents } from './worker-events.js';

/** Between the abort of a signal and the end of an attempt without its handler: for handlers that listen. */
export const ABORT_MS = 500;

/** A handler that still runs though its attempt was given up. */
export interface Runaway {
  readonly job: JobFacts;
  readonly timeoutMs: number;
  readonly runningMs: number;
}

/** Ends attempts in time, and remembers the handlers that do not. */
export class Runaways {
  readonly #clock: Clock;
  readonly #events: Emitter<WorkerEvents>;
  readonly #startedAtMs = new Map<Timeout, number>();
  /** Of the attempts that still have time. */
  readonly #limits = new Set<TimerHandle>();

  constructor(clock: Clock, events: Emitter<WorkerEvents>) {
    this.#clock = clock;
    this.#events = events;
  }

  list(): Runaway[] {
    const nowMs = this.#clock.monotonicMs();
    return [...this.#startedAtMs].map(([{ job, timeoutMs }, startedAtMs]) => {
      return { job, timeoutMs, runningMs: nowMs - startedAtMs };
    });
  }

  /** What the work came to, or that its time is over. The work never rejects. */
  async endInTime(run: RunningJob, timeout: Timeout, work: Promise<Outcome>): Promise<Outcome> {
    const startedAtMs = this.#clock.monotonicMs();
    if (await this.#endsWithin(timeout.timeoutMs, work)) return work;
    run.abort('timeout');
    if (await this.#endsWithin(ABORT_MS, work)) return work;
    this.#startedAtMs.set(timeout, startedAtMs);
    void work.then(() => this.#ended(timeout, startedAtMs));
    this.#events.emit('runaway', timeout);
    return timedOut(timeout);
  }

  /** The worker is closed and has let go of what still runs: no time limit ends anything any more, or holds the process. */
  stop(): void {
    for (const timer of this.#limits) this.#clock.clearTimer(timer);
    this.#limits.clear();
  }

  #endsWithin(ms: number, work: Promise<Outcome>): Promise<boolean> {
    return new Promise((resolve) => {
      const limit = this.#clock.setTimer(ms, () => {
        this.#limits.delete(limit);
        resolve(false);
      });
      this.#limits.add(limit);
      void work.then(() => {
        this.#clock.clearTimer(limit);
        this.#limits.delete(limit);
        resolve(true);
      });
    });
  }

  #ended(timeout: Timeout, startedAtMs: number): void {
    this.#startedAtMs.delete(timeout);
    this.#events.emit('runawayEnded', { job: timeout.job, durationMs: this.#clock.monotonicMs() - startedAtMs });
  }
}
