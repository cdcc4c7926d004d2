import type { QueueThroughput } from '@holdfast/contract';

const STEP_MS = 10_000;
const STEPS = 60;

type What = 'enqueued' | 'completed' | 'failed';

/** What happened in one queue in the last ten minutes, in steps of ten seconds. */
export class ThroughputLog {
  #counts = new Map<string, number>();
  #lastStep = 0;
  #lastCountedStep = 0;

  count(what: What, atMs: number): void {
    const key = keyOf(what, this.#step(atMs));
    this.#lastCountedStep = this.#lastStep;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The window that ends with the step of `nowMs`, oldest first. */
  read(nowMs: number): QueueThroughput {
    this.#step(nowMs);
    const first = this.#lastStep - STEPS + 1;
    const series = (what: What) =>
      Array.from({ length: STEPS }, (_, index) => this.#counts.get(keyOf(what, first + index)) ?? 0);
    return {
      fromMs: first * STEP_MS,
      stepMs: STEP_MS,
      enqueued: series('enqueued'),
      completed: series('completed'),
      failed: series('failed'),
    };
  }

  /** What was shown is remembered by nobody, only what was counted: a clock that was set back may show an earlier window. */
  beginRun(): void {
    this.#lastStep = this.#lastCountedStep;
  }

  /** A wall clock that was set back by more than the window starts it anew. */
  #step(atMs: number): number {
    const step = Math.floor(atMs / STEP_MS);
    if (step <= this.#lastStep - STEPS) this.#counts = new Map();
    if (step > this.#lastStep || step <= this.#lastStep - STEPS) this.#lastStep = step;
    return step;
  }
}

function keyOf(what: What, step: number): string {
  return `${what} ${step}`;
}
