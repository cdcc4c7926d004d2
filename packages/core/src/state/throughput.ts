import type { QueueThroughput } from '@holdfast/contract';

const STEP_MS = 10_000;
const STEPS = 60;

/**
 * What happened in a queue in the last ten minutes, in steps of ten seconds. Times are those of the records, so a replay fills the
 * rings as the live path did. A clock that was set back by more than the window starts them anew.
 */
export class ThroughputRings {
  readonly #enqueued = new Uint32Array(STEPS);
  readonly #completed = new Uint32Array(STEPS);
  readonly #failed = new Uint32Array(STEPS);
  /** Number of the newest step: time / STEP_MS. */
  #head = 0;

  countEnqueued(atMs: number): void {
    const place = this.#place(atMs);
    this.#enqueued[place]!++;
  }

  countCompleted(atMs: number): void {
    const place = this.#place(atMs);
    this.#completed[place]!++;
  }

  countFailed(atMs: number): void {
    const place = this.#place(atMs);
    this.#failed[place]!++;
  }

  /** The window that ends with the step of `nowMs`, oldest first. */
  read(nowMs: number): QueueThroughput {
    this.#place(nowMs);
    const first = this.#head - STEPS + 1;
    return {
      fromMs: first * STEP_MS,
      stepMs: STEP_MS,
      enqueued: unrolled(this.#enqueued, first),
      completed: unrolled(this.#completed, first),
      failed: unrolled(this.#failed, first),
    };
  }

  #place(atMs: number): number {
    const step = Math.floor(atMs / STEP_MS);
    if (step !== this.#head) this.#roll(step);
    return step % STEPS;
  }

  #roll(step: number): void {
    if (step <= this.#head && step > this.#head - STEPS) return;
    const cleared = step > this.#head ? Math.min(step - this.#head, STEPS) : STEPS;
    for (let back = 0; back < cleared; back++) {
      const place = (step - back + STEPS) % STEPS;
      this.#enqueued[place] = 0;
      this.#completed[place] = 0;
      this.#failed[place] = 0;
    }
    this.#head = step;
  }
}

function unrolled(ring: Uint32Array, first: number): number[] {
  const steps: number[] = [];
  for (let step = first; step < first + STEPS; step++) steps.push(ring[((step % STEPS) + STEPS) % STEPS]!);
  return steps;
}
