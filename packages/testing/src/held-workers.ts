import type { ClaimRequest, JobStore, LeasedJob, LeaseRow } from '@holdfast/contract';
import { ClaimGate } from './claim-gate.js';
import { realMs, realTurn } from './real-time.js';
import { StillWorkingError } from './still-working-error.js';
import { settled, type VirtualClock } from './virtual-clock.js';

export interface DrainOptions {
  /**
   * Real milliseconds after which `drain` rejects, naming the jobs whose handlers still work. Default 4,000: less than what a
   * test runner waits, so that the message is seen.
   */
  readonly timeoutMs?: number;
}

export interface AdvanceOptions {
  /**
   * Real milliseconds that time stands still for a handler, so that what it does outside (a request, a query) takes no time. One that takes
   * longer is thought to wait for time itself, or for its signal. Default 1,000.
   */
  readonly patienceMs?: number;
}

/** For handlers at the end. */
const PATIENCE_MS = 1000;
const LEASES_MAX = 1000;
/** A turn may bring the next: a settled job, the claim that follows from it, the lease of the next one. */
const QUIET_TURNS = 3;

/**
 * Workers that work when a test says so. They claim from what `hold` makes of a store, which gives out jobs only during `drain` and
 * `advance`; so a test decides what is done between two of its lines.
 */
export class HeldWorkers {
  readonly #clock: VirtualClock;
  readonly #gate = new ClaimGate();
  readonly #stores = new Set<JobStore>();
  /** Leases of handlers that were waited for long enough. */
  readonly #slow = new Set<string>();

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** The store as workers are to get it. Everybody else uses the store itself. */
  hold(store: JobStore): JobStore {
    this.#stores.add(store);
    const claim = (request: ClaimRequest): Promise<LeasedJob[]> => this.#gate.claim(store, request);
    return new Proxy(store, {
      get(target, key) {
        if (key === 'claim') return claim;
        const value: unknown = Reflect.get(target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  }

  /**
   * Lets workers work, without any time passing, until no handler is at work and no job is ready for one. Jobs that wait for their time
   * stay: see `advance`.
   * @throws StillWorkingError
   */
  drain({ timeoutMs = 4000 }: DrainOptions = {}): Promise<void> {
    return this.#gate.during(async () => {
      const stuck = await this.#untilQuiet(timeoutMs, new Set());
      if (stuck.length === 0) return;
      for (const { token } of stuck) this.#slow.add(token);
      throw new StillWorkingError(stuck, timeoutMs);
    });
  }

  /**
   * Lets time pass, and workers work on what comes due on the way, each time until nothing is left to do. A handler that waits for time
   * or for its signal may still be at work afterwards.
   */
  advance(ms: number, { patienceMs = PATIENCE_MS }: AdvanceOptions = {}): Promise<void> {
    return this.#gate.during(async () => {
      const endMs = this.#clock.monotonicMs() + ms;
      await this.#letWork(patienceMs);
      for (;;) {
        // What came due was given to a worker already, or to nobody: most steps of a long wait bring nothing.
        if ((await this.#busy(this.#slow)).length > 0) await this.#letWork(patienceMs);
        const restMs = endMs - this.#clock.monotonicMs();
        if (restMs <= 0) return;
        this.#clock.advanceNow(Math.min(restMs, Math.max(0, this.#clock.nextTimerMs)));
        await settled();
      }
    });
  }

  /** For what ends only with time, such as a worker that closes: lets time pass until it has. Hands on how it ended. */
  async during<Result>(ending: Promise<Result>): Promise<Result> {
    let ended = false;
    const end = () => {
      ended = true;
    };
    ending.then(end, end);
    await settled();
    while (!ended) {
      await this.#letWork(PATIENCE_MS);
      if (!ended && this.#clock.timers > 0) await this.#clock.advance(Math.max(0, this.#clock.nextTimerMs));
    }
    return ending;
  }

  async #letWork(patienceMs: number): Promise<void> {
    for (const { token } of await this.#untilQuiet(patienceMs, this.#slow)) this.#slow.add(token);
  }

  /** Answers the leases that are left when the real time is over; none when all is quiet. */
  async #untilQuiet(timeoutMs: number, ignored: ReadonlySet<string>): Promise<LeaseRow[]> {
    const startedAtMs = realMs();
    for (let turn = 0, quiet = 0; ; turn++) {
      await realTurn(turn);
      const busy = await this.#busy(ignored);
      quiet = busy.length === 0 ? quiet + 1 : 0;
      if (quiet >= QUIET_TURNS) return [];
      if (busy.length > 0 && realMs() - startedAtMs >= timeoutMs) return busy;
    }
  }

  async #busy(ignored: ReadonlySet<string>): Promise<LeaseRow[]> {
    const open = [...this.#stores].filter((store) => store.health().status === 'open');
    const leases = await Promise.all(open.map((store) => store.leases(LEASES_MAX)));
    return leases.flat().filter(({ token }) => !ignored.has(token));
  }
}
