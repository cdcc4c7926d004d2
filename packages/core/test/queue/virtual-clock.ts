import type { Clock, TimerHandle } from '@holdfast/contract';

interface VirtualTimer extends TimerHandle {
  readonly dueMs: number;
  readonly call: () => void;
}

/** Time that moves only when a test says so. */
export class VirtualClock implements Clock {
  #nowMs = 0;
  #timers: VirtualTimer[] = [];

  now(): number {
    return 1_700_000_000_000 + this.#nowMs;
  }

  monotonicMs(): number {
    return this.#nowMs;
  }

  setTimer(ms: number, call: () => void): TimerHandle {
    const timer: VirtualTimer = { dueMs: this.#nowMs + ms, call };
    this.#timers.push(timer);
    return timer;
  }

  clearTimer(timer: TimerHandle): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
  }

  get timers(): number {
    return this.#timers.length;
  }

  /** Calls what comes due, in order, and lets all promises go as far as they can after each step. */
  async advance(ms: number): Promise<void> {
    const endMs = this.#nowMs + ms;
    await turn();
    for (let next = this.#nextDue(endMs); next !== undefined; next = this.#nextDue(endMs)) {
      this.clearTimer(next);
      this.#nowMs = Math.max(this.#nowMs, next.dueMs);
      next.call();
      await turn();
    }
    this.#nowMs = endMs;
  }

  #nextDue(endMs: number): VirtualTimer | undefined {
    const due = this.#timers.filter((timer) => timer.dueMs <= endMs);
    return due.sort((one, other) => one.dueMs - other.dueMs)[0];
  }
}

/** Until no promise can go further without time or disk. */
export function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
