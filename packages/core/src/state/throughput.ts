import type { QueueThroughput } from '@holdfast/contract';

const STEP_MS = 10_000;
const STEPS = 60;

const ENQUEUED = 0;
const COMPLETED = STEPS;
const FAILED = 2 * STEPS;

const NOTHING: readonly number[] = Object.freeze(new Array<number>(STEPS).fill(0));

/**
 * What happened in a queue in the last ten minutes, in steps of ten seconds. Times are those of the records, so a replay fills the
 * rings as the live path did. A clock that was set back by more than the window starts them anew. A queue in which nothing
 * happened for so long has no rings.
 */
export class ThroughputRings {
  #rings: Uint32Array | undefined;
  /** Number of the newest step in which something was counted: time / STEP_MS. */
  #head = 0;

  countEnqueued(atMs: number): void {
    this.#count(ENQUEUED, atMs);
  }

  countCompleted(atMs: number): void {
    this.#count(COMPLETED, atMs);
  }

  countFailed(atMs: number): void {
    this.#count(FAILED, atMs);
  }

  /**
   * The window that ends with the step of `nowMs`, or a later one in which something was counted before the clock was set back; oldest
   * first. What was counted is all that it depends on, so that it is the same after a replay.
   */
  read(nowMs: number): QueueThroughput {
    const step = Math.floor(nowMs / STEP_MS);
    if (step >= this.#head + STEPS) this.#rings = undefined;
    const last = this.#holds(step) ? this.#head : step;
    const first = last - STEPS + 1;
    return {
      fromMs: first * STEP_MS,
      stepMs: STEP_MS,
      enqueued: this.#unrolled(ENQUEUED, first),
      completed: this.#unrolled(COMPLETED, first),
      failed: this.#unrolled(FAILED, first),
    };
  }

  #count(ring: number, atMs: number): void {
    const step = Math.floor(atMs / STEP_MS);
    if (step !== this.#head) this.#roll(step);
    this.#rings ??= new Uint32Array(3 * STEPS);
    this.#rings[ring + (step % STEPS)]!++;
  }

  #roll(step: number): void {
    if (this.#holds(step)) return;
    if (this.#rings !== undefined) this.#clear(this.#rings, step);
    this.#head = step;
  }

  #holds(step: number): boolean {
    return step <= this.#head && step > this.#head - STEPS;
  }

  #clear(rings: Uint32Array, step: number): void {
    const cleared = step > this.#head ? Math.min(step - this.#head, STEPS) : STEPS;
    for (let back = 0; back < cleared; back++) {
      const place = (step - back + STEPS) % STEPS;
      rings[ENQUEUED + place] = 0;
      rings[COMPLETED + place] = 0;
      rings[FAILED + place] = 0;
    }
  }

  #unrolled(ring: number, first: number): readonly number[] {
    const rings = this.#rings;
    if (rings === undefined) return NOTHING;
    const steps: number[] = [];
    let sum = 0;
    for (let step = first; step < first + STEPS; step++) {
      const count = this.#holds(step) ? rings[ring + (step % STEPS)]! : 0;
      steps.push(count);
      sum += count;
    }
    return sum === 0 ? NOTHING : steps;
  }
}
