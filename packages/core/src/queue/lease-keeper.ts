import { type Clock, InvalidArgumentError, type JobStore, type SettleAnswer } from '@holdfast/contract';
import { LIMITS } from '../limits.js';
import type { RunList } from './run-list.js';
import type { RunningJob } from './running-job.js';

export interface LeaseKeeperOptions {
  readonly store: Pick<JobStore, 'extend'>;
  readonly clock: Clock;
  readonly leaseMs: number;
  /** Those that work are kept alive. */
  readonly runs: RunList;
  readonly onLost: (run: RunningJob, why: 'leaseLost' | 'cancelled') => void;
  readonly onError: (error: unknown) => void;
  /** The thread was not free for at least so long; these are at work still. */
  readonly onBlocked: (blockedMs: number, runs: readonly RunningJob[]) => void;
}

/** A store that takes a third of a lease for each call lets an extension of all begin during every one of them. */
const LONGER_TRIES = 3;

/**
 * Keeps the leases of running jobs alive: every third of a lease, one call extends all of them, so a lease survives one
 * call that fails. A running job keeps its process alive by this timer; an idle keeper has none.
 */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #timerSet = false;
  #stopped = false;
  /** The extension of all. */
  #underWay: Promise<void> | undefined;
  /** How many of them began. */
  #rounds = 0;
  /** The time to extend came while an extension was under way. */
  #missed = false;
  #stop: (() => void) | undefined;

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
  }

  /** A run begins to work. */
  watch(): void {
    if (!this.#timerSet && !this.#stopped) this.#setTimer();
  }

  /** Extends one lease at once. Throws what the store throws; a lost lease is told through `onLost`. */
  async extend(run: RunningJob, leaseMs = this.#options.leaseMs): Promise<void> {
    if (!(leaseMs >= LIMITS.leaseMsMin && leaseMs <= LIMITS.leaseMsMax)) {
      throw new InvalidArgumentError(
        'leaseMs',
        leaseMs,
        `from ${LIMITS.leaseMsMin} to ${LIMITS.leaseMsMax} milliseconds`,
      );
    }
    if (leaseMs > this.#options.leaseMs) await this.#extendLonger(run, leaseMs);
    else if (run.working) await this.#extendNow([run], leaseMs);
  }

  /** The store keeps what it writes last: an extension of all that overlaps with this one may take back what the handler is told it has. */
  async #extendLonger(run: RunningJob, leaseMs: number): Promise<void> {
    for (let tries = 0; tries < LONGER_TRIES; tries++) {
      while (this.#underWay !== undefined) await this.#underWay;
      const round = this.#rounds;
      if (run.working) await this.#extendNow([run], leaseMs);
      if (round === this.#rounds) return;
    }
  }

  /** The store has answered that the lease is over. */
  lost(run: RunningJob, answer: SettleAnswer | undefined): void {
    const why = answer === 'cancelled' ? 'cancelled' : 'leaseLost';
    if (run.loseLease(why)) this.#options.onLost(run, why);
  }

  /** No lease is extended after this. */
  stop(): void {
    this.#stopped = true;
    this.#stop?.();
  }

  #setTimer(): void {
    const { clock, leaseMs } = this.#options;
    this.#timerSet = true;
    const dueAtMs = clock.monotonicMs() + leaseMs / 3;
    const timer = clock.setTimer(leaseMs / 3, () => this.#extendDue(clock.monotonicMs() - dueAtMs));
    this.#stop = () => clock.clearTimer(timer);
  }

  #extendDue(lateMs: number): void {
    this.#timerSet = false;
    const working = this.#working();
    // Also where the one that blocked has ended with that.
    if (!this.#stopped && lateMs >= this.#options.leaseMs / 3) this.#options.onBlocked(lateMs, working);
    if (working.length === 0) return;
    this.#setTimer();
    // A call that hangs is not piled upon. If it is only this process that was blocked meanwhile, its answer comes now and the leases
    // need another extension at once, before the engine is told that this process is alive.
    if (this.#underWay !== undefined) this.#missed = true;
    else this.#extendAll();
  }

  #extendAll(): void {
    const { clock, leaseMs, onError } = this.#options;
    // A handler may have asked for a longer lease: never make it shorter.
    const newEndMs = clock.monotonicMs() + leaseMs;
    const due = this.#working().filter((run) => run.leaseEndsAtMs < newEndMs);
    if (due.length === 0) return;
    this.#rounds++;
    this.#underWay = this.#extendNow(due, leaseMs)
      .catch(onError)
      .finally(() => {
        this.#underWay = undefined;
        const missed = this.#missed;
        this.#missed = false;
        if (missed) this.#extendAll();
      });
  }

  async #extendNow(runs: readonly RunningJob[], leaseMs: number): Promise<void> {
    const { store, clock } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const answers = await store.extend(runs.map(({ leased }) => ({ id: leased.id, token: leased.token, leaseMs })));
    for (const [index, run] of runs.entries()) this.#note(run, answers[index], askedAtMs + leaseMs);
  }

  #note(run: RunningJob, answer: SettleAnswer | undefined, endsAtMs: number): void {
    if (answer === 'ok') run.leaseEndsAtMs = endsAtMs;
    else this.lost(run, answer);
  }

  #working(): RunningJob[] {
    return this.#stopped ? [] : [...this.#options.runs].filter((run) => run.working);
  }
}
