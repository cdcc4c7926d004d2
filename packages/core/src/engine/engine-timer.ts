import type { Clock, TimerHandle } from '@holdfast/contract';
import type { Metrics } from './metrics.js';

/**
 * The engine's one timer. It is set again only when something has to happen sooner; a call that turns out to be too early sets the
 * next one.
 */
export class EngineTimer {
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #call: () => void;
  #timer: TimerHandle | undefined;
  #atMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, metrics: Metrics, call: () => void) {
    this.#clock = clock;
    this.#metrics = metrics;
    this.#call = call;
  }

  /** Calls at this monotonic time or before; Infinity: not at all. */
  setFor(atMs: number): void {
    if (this.#timer !== undefined && this.#atMs <= atMs && atMs !== Number.POSITIVE_INFINITY) return;
    this.stop();
    if (atMs === Number.POSITIVE_INFINITY) return;
    this.#atMs = atMs;
    this.#timer = this.#clock.setTimer(Math.max(0, atMs - this.#clock.monotonicMs()), () => this.#fired(), true);
  }

  stop(): void {
    if (this.#timer !== undefined) this.#clock.clearTimer(this.#timer);
    this.#timer = undefined;
    this.#atMs = Number.POSITIVE_INFINITY;
  }

  #fired(): void {
    this.#metrics.stalled(this.#clock.monotonicMs() - this.#atMs);
    this.#timer = undefined;
    this.#atMs = Number.POSITIVE_INFINITY;
    this.#call();
  }
}
