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

  /** Extends one lease at once, never to less than it has. Throws what the store throws; a lost lease is told through `onLost`. */
  async extend(run: RunningJob, leaseMs = this.#options.leaseMs): Promise<void> {
    if (!(typeof leaseMs === 'number' && leaseMs >= LIMITS.leaseMsMin && leaseMs <= LIMITS.leaseMsMax)) {
      throw new InvalidArgumentError(
        'leaseMs',
        leaseMs,
        `from ${LIMITS.leaseMsMin} to ${LIMITS.leaseMsMax} milliseconds`,
      );
    }
    if (leaseMs > this.#options.leaseMs) {
      run.keepUntil(this.#options.clock.monotonicMs() + leaseMs);
      // The store keeps what it writes last, and an extension of all that began before knows nothing of this one.
      await this.#underWay;
    }
    if (run.working) await this.#extendNow([run]);
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
    // A handler may have asked for a longer lease, and has it already.
    const newEndMs = clock.monotonicMs() + leaseMs;
    const due = this.#working().filter((run) => run.leaseEndsAtMs < newEndMs);
    if (due.length === 0) return;
    this.#underWay = this.#extendNow(due)
      .catch(onError)
      .finally(() => {
        this.#underWay = undefined;
        const missed = this.#missed;
        this.#missed = false;
        if (missed) this.#extendAll();
      });
  }

  async #extendNow(runs: readonly RunningJob[]): Promise<void> {
    const { store, clock } = this.#options;
    const askedAtMs = clock.monotonicMs();
    const items = runs.map((run) => {
      const { id, token } = run.leased;
      return { id, token, leaseMs: this.#lastingMs(run, askedAtMs) };
    });
    const answers = await store.extend(items);
    for (const [index, run] of runs.entries()) this.#note(run, answers[index], askedAtMs + items[index]!.leaseMs);
  }

  /** How long a lease is to last from now on: a store takes it as it is told, also where that is less than before. */
  #lastingMs({ keptUntilMs }: RunningJob, nowMs: number): number {
    return Math.min(Math.max(this.#options.leaseMs, keptUntilMs - nowMs), LIMITS.leaseMsMax);
  }

  #note(run: RunningJob, answer: SettleAnswer | undefined, endsAtMs: number): void {
    if (answer === 'ok') run.leaseEndsAtMs = endsAtMs;
    else this.lost(run, answer);
  }

  #working(): RunningJob[] {
    return this.#stopped ? [] : [...this.#options.runs].filter((run) => run.working);
  }
}
