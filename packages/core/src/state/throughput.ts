import type { QueueThroughput } from '@holdfast/contract';

const STEP_MS = 10_000;
const STEPS = 60;

const ENQUEUED = 0;
const COMPLETED = 1;
const FAILED = 2;

/** Shared by all rings in which nothing was counted, so that very many idle queues cost neither time nor memory to show. */
const NOTHING: readonly number[] = Object.freeze(new Array<number>(STEPS).fill(0));

/**
 * What happened in a queue in the last ten minutes, in steps of ten seconds. Times are those of the records, so a replay fills the
 * rings as the live path did. A clock that was set back by more than the window starts them anew. What did not happen for so long
 * has no ring.
 */
export class ThroughputRings {
  /** Enqueued, completed, failed: each with a number for a step, at its number modulo STEPS. */
  readonly #rings: (Uint32Array | undefined)[] = [undefined, undefined, undefined];
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
    if (step >= this.#head + STEPS) this.#rings.fill(undefined);
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

  #count(kind: number, atMs: number): void {
    const step = Math.floor(atMs / STEP_MS);
    if (step !== this.#head) this.#roll(step);
    let ring = this.#rings[kind];
    if (ring === undefined) {
      ring = new Uint32Array(STEPS);
      this.#rings[kind] = ring;
    }
    ring[step % STEPS]!++;
  }

  #roll(step: number): void {
    if (this.#holds(step)) return;
    const passed = step > this.#head ? step - this.#head : STEPS;
    if (passed >= STEPS) this.#rings.fill(undefined);
    for (const ring of this.#rings) {
      if (ring === undefined) continue;
      for (let back = 0; back < passed; back++) ring[(step - back) % STEPS] = 0;
    }
    this.#head = step;
  }

  #holds(step: number): boolean {
    return step <= this.#head && step > this.#head - STEPS;
  }

  #unrolled(kind: number, first: number): readonly number[] {
    const ring = this.#rings[kind];
    if (ring === undefined) return NOTHING;
    const steps = new Array<number>(STEPS);
    let sum = 0;
    for (let index = 0; index < STEPS; index++) {
      const step = first + index;
      const count = this.#holds(step) ? ring[step % STEPS]! : 0;
      steps[index] = count;
      sum += count;
    }
    return sum === 0 ? NOTHING : steps;
  }
}
