import type { QueueThroughput } from '@holdfast/contract';

const STEP_MS = 10_000;
const STEPS = 60;

type What = 'enqueued' | 'completed' | 'failed';

/** What happened in one queue in the last ten minutes, in steps of ten seconds. */
export class ThroughputLog {
  #counts = new Map<string, number>();
  /** The newest step in which something was counted. */
  #last = 0;

  /** A wall clock that was set back by more than the window starts it anew. */
  count(what: What, atMs: number): void {
    const step = Math.floor(atMs / STEP_MS);
    if (step <= this.#last - STEPS) this.#counts = new Map();
    this.#last = this.#endOf(step);
    const key = keyOf(what, step);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The window that ends with the step of `nowMs`, or a later one in which something was counted; oldest first. */
  read(nowMs: number): QueueThroughput {
    const step = Math.floor(nowMs / STEP_MS);
    const first = this.#endOf(step) - STEPS + 1;
    const isAnew = step <= this.#last - STEPS;
    const series = (what: What) =>
      Array.from({ length: STEPS }, (_, index) => (isAnew ? 0 : (this.#counts.get(keyOf(what, first + index)) ?? 0)));
    return {
      fromMs: first * STEP_MS,
      stepMs: STEP_MS,
      enqueued: series('enqueued'),
      completed: series('completed'),
      failed: series('failed'),
    };
  }

  #endOf(step: number): number {
    return step <= this.#last && step > this.#last - STEPS ? this.#last : step;
  }
}

function keyOf(what: What, step: number): string {
  return `${what} ${step}`;
}
