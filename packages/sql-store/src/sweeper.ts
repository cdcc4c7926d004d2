import type { Sweeping } from './sweeping.js';

/** A wait is never shorter, so that what is due but cannot be done now is not asked for without end. */
const WAIT_MS_MIN = 5;
/** What is further away is left to the leader. */
const NOTED_MS_MAX = 60_000;

export interface SweeperOptions {
  readonly sweepMs: number;
  readonly sweeping: Sweeping;
  /** Whether this process does what is due for all. */
  readonly leads: () => Promise<boolean>;
}

/** The loop that does what is due: all of it in the process that leads, and everywhere what the process itself scheduled. */
export class Sweeper {
  readonly #options: SweeperOptions;
  #timer: NodeJS.Timeout | undefined;
  #atMs = Number.POSITIVE_INFINITY;
  /** When something is due that this process scheduled. */
  #notedAtMs = Number.POSITIVE_INFINITY;
  #turning: Promise<void> | undefined;
  #stopped = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    this.#wakeIn(0);
  }

  /** Something will be due in so many milliseconds. */
  note(inMs: number): void {
    if (inMs > NOTED_MS_MAX) return;
    this.#notedAtMs = Math.min(this.#notedAtMs, performance.now() + inMs);
    this.#wakeIn(inMs);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#turning;
  }

  #wakeIn(ms: number): void {
    const atMs = performance.now() + Math.max(WAIT_MS_MIN, ms);
    if (this.#stopped || (this.#timer !== undefined && atMs >= this.#atMs)) return;
    clearTimeout(this.#timer);
    this.#atMs = atMs;
    this.#timer = setTimeout(() => this.#wake(), Math.max(WAIT_MS_MIN, ms)).unref();
  }

  #wake(): void {
    this.#timer = undefined;
    if (this.#turning !== undefined) {
      this.#wakeIn(WAIT_MS_MIN);
      return;
    }
    this.#turning = this.#turn().finally(() => {
      this.#turning = undefined;
    });
  }

  /** The health of the store tells what went wrong; the next turn tries again. */
  async #turn(): Promise<void> {
    const { sweepMs, sweeping, leads } = this.#options;
    let nextMs = sweepMs;
    try {
      const isNoted = this.#notedAtMs <= performance.now();
      if (isNoted) this.#notedAtMs = Number.POSITIVE_INFINITY;
      const leading = await leads();
      if (leading || isNoted) {
        const dueInMs = await (leading ? sweeping.all() : sweeping.due());
        nextMs = Math.min(nextMs, dueInMs);
        // Where nothing is due that is known by now, there is nothing to look for.
        if (!leading) this.note(dueInMs);
      }
    } catch {
      nextMs = sweepMs;
    }
    // A turn that came before what was noted must not put it off.
    this.#wakeIn(Math.min(nextMs, this.#notedAtMs - performance.now()));
  }
}
