import process from 'node:process';
import type { Clock, TimerHandle } from '@holdfast/contract';

/** The longest delay of `setTimeout`; a longer one would fire at once. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

class SystemTimer implements TimerHandle {
  readonly brand = 'timer';
  #timeout: NodeJS.Timeout | undefined;

  start(ms: number, call: () => void, unref: boolean): void {
    const rest = ms - TIMEOUT_MS_MAX;
    const next = rest > 0 ? () => this.start(rest, call, unref) : call;
    // `setTimeout` cuts fractions off, which would call up to a millisecond early.
    this.#timeout = setTimeout(next, Math.ceil(Math.min(Math.max(ms, 0), TIMEOUT_MS_MAX)));
    if (unref) this.#timeout.unref();
  }

  stop(): void {
    clearTimeout(this.#timeout);
  }
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs() {
    // Unlike `performance.now()`, this counts from the same start in all threads of a process.
    const [seconds, nanoseconds] = process.hrtime();
    return seconds * 1000 + nanoseconds / 1e6;
  },
  setTimer(ms, call, unref = false) {
    const timer = new SystemTimer();
    timer.start(ms, call, unref);
    return timer;
  },
  clearTimer(timer) {
    if (timer instanceof SystemTimer) timer.stop();
  },
};
