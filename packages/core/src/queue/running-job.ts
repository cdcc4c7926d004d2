import { type AbortReason, JobAbortedError, type LeasedJob } from '@holdfast/contract';
import type { JobContext } from './handler.js';
import type { JobNotes } from './job-notes.js';
import type { LeaseKeeper } from './lease-keeper.js';
import type { Outcome } from './outcome.js';

/**
 * One leased job while its handler works: the context the handler sees, and the only place that knows whether the
 * attempt is still ours to end. `working` → `ending` when the handler is done; → `gone` when the lease was lost or the
 * job was handed back before.
 */
export class RunningJob implements JobContext {
  readonly leased: LeasedJob;
  readonly worker: string;
  /** On the monotonic clock. */
  readonly startedAtMs: number;
  /** On the monotonic clock; as far as we know. */
  leaseEndsAtMs: number;
  /** On the monotonic clock: until when the handler wants it at least. */
  keptUntilMs = Number.NEGATIVE_INFINITY;
  /** Kept by the RunList. */
  place = -1;
  #state: 'working' | 'ending' | 'gone' = 'working';
  #aborted: JobAbortedError | undefined;
  /** Made when it is first asked for: most handlers never look. */
  #controller: AbortController | undefined;
  /** The handler has told something. */
  hasNotes = false;
  /** What the handler comes to, whoever still waits for it. Never rejects. */
  work: Promise<Outcome> | undefined;
  readonly #leases: LeaseKeeper;
  readonly #notes: JobNotes;

  constructor(leased: LeasedJob, worker: string, leases: LeaseKeeper, notes: JobNotes, nowMs: number) {
    this.leased = leased;
    this.worker = worker;
    this.startedAtMs = nowMs;
    this.leaseEndsAtMs = nowMs + leased.leaseMs;
    this.#leases = leases;
    this.#notes = notes;
  }

  get token(): string {
    return this.leased.token;
  }

  get attempt(): number {
    return this.leased.attempt;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#aborted !== undefined) this.#controller.abort(this.#aborted);
    }
    return this.#controller.signal;
  }

  get aborted(): JobAbortedError | undefined {
    return this.#aborted;
  }

  get working(): boolean {
    return this.#state === 'working';
  }

  // This one and the next two are made when they are asked for, so that handlers may take them out of their context.
  get extend(): JobContext['extend'] {
    return async (leaseMs) => {
      await this.#leases.extend(this, leaseMs);
      if (!this.working && this.#aborted !== undefined) throw this.#aborted;
    };
  }

  get progress(): JobContext['progress'] {
    return (value) => this.#notes.progress(this, value);
  }

  get log(): JobContext['log'] {
    return (line) => this.#notes.log(this, line);
  }

  /** The handler needs its lease until then. */
  keepUntil(atMs: number): void {
    this.keptUntilMs = Math.max(this.keptUntilMs, atMs);
  }

  /** Asks the handler to stop. The first reason stands. */
  abort(reason: AbortReason): void {
    if (this.#aborted !== undefined || !this.working) return;
    this.#aborted = new JobAbortedError(this.leased.id, reason);
    this.#controller?.abort(this.#aborted);
  }

  /** The handler is done. False when the attempt is not ours to end any more. */
  beginEnding(): boolean {
    if (!this.working) return false;
    this.#state = 'ending';
    return true;
  }

  /** The attempt is over, whatever the handler still does. False when that is known already. */
  letGo(): boolean {
    if (!this.working) return false;
    this.#state = 'gone';
    return true;
  }

  /** The lease ended under the handler: the attempt is over and the handler is told. */
  loseLease(why: 'leaseLost' | 'cancelled'): boolean {
    if (!this.working) return false;
    this.abort(why);
    return this.letGo();
  }
}
