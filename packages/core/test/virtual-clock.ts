import type { Clock, TimerHandle } from '@holdfast/contract';

interface VirtualTimer extends TimerHandle {
  readonly atMs: number;
  readonly order: number;
  readonly call: () => void;
}

/** A timer that is set again and again for the present would hold a test for ever. */
const CALLS_MAX = 100_000;

/** Time that moves only when a test says so. Wall and monotonic time can be moved apart. */
export class VirtualClock implements Clock {
  #monotonicMs = 1000;
  #wallOffsetMs = 1_700_000_000_000;
  #timers: VirtualTimer[] = [];
  #order = 0;

  now(): number {
    return Math.floor(this.#wallOffsetMs + this.#monotonicMs);
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  setTimer(ms: number, call: () => void): TimerHandle {
    const timer = { brand: 'timer' as const, atMs: this.#monotonicMs + Math.max(0, ms), order: this.#order++, call };
    this.#timers.push(timer);
    return timer;
  }

  clearTimer(timer: TimerHandle): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** A process ends, and its timers with it. */
  dropTimers(): void {
    this.#timers = [];
  }

  /** Milliseconds until the next timer; Infinity without one. */
  get nextTimerMs(): number {
    return Math.min(Number.POSITIVE_INFINITY, ...this.#timers.map(({ atMs }) => atMs)) - this.#monotonicMs;
  }

  /** Calls what comes due on the way, in order. */
  advance(ms: number): void {
    const endMs = this.#monotonicMs + ms;
    let calls = 0;
    for (let next = this.#next(endMs); next !== undefined; next = this.#next(endMs)) {
      this.clearTimer(next);
      this.#monotonicMs = Math.max(this.#monotonicMs, next.atMs);
      next.call();
      if (++calls > CALLS_MAX) throw new Error(`more than ${CALLS_MAX} timers in ${ms} ms: one sets itself for now`);
    }
    this.#monotonicMs = endMs;
  }

  /** Time passes and nothing runs, as if the thread were stopped. */
  stall(ms: number): void {
    this.#monotonicMs += ms;
  }

  /** Somebody sets the wall clock. */
  setWall(byMs: number): void {
    this.#wallOffsetMs += byMs;
  }

  #next(endMs: number): VirtualTimer | undefined {
    let first: VirtualTimer | undefined;
    for (const timer of this.#timers) {
      if (timer.atMs > endMs) continue;
      if (first === undefined || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order)) {
        first = timer;
      }
    }
    return first;
  }
}
