import { IndexedHeap } from './indexed-heap.js';
import { NONE } from './job-columns.js';
import type { KeptRing } from './kept-ring.js';

/**
 * Rings by the wall-clock time at which a job of them may have to go. The time of a ring may be too early, never too late: it is looked
 * at then, and told anew. So an end of a job costs no more than a comparison.
 */
export class RetentionHeap extends IndexedHeap {
  readonly #rings: KeptRing[] = [];

  /** The next time at which a ring has to be looked at; 0: at once; Infinity: none. */
  get nextMs(): number {
    return this.size === 0 ? Number.POSITIVE_INFINITY : this.#rings[this.top]!.dueMs;
  }

  /** The ring to be looked at first. Only with `size > 0`. */
  get first(): KeptRing {
    return this.#rings[this.top]!;
  }

  /** The ring has to be looked at by then. */
  watch(ring: KeptRing, dueMs: number): void {
    if (dueMs < ring.dueMs) this.setFor(ring, dueMs);
  }

  /** The ring was looked at, and need not be before then; Infinity: not at all. */
  setFor(ring: KeptRing, dueMs: number): void {
    ring.dueMs = dueMs;
    if (ring.number === NONE) ring.number = this.#rings.push(ring) - 1;
    if (dueMs === Number.POSITIVE_INFINITY) {
      if (ring.duePosition !== NONE) this.removeAt(ring.duePosition);
      ring.duePosition = NONE;
    } else if (ring.duePosition === NONE) this.push(ring.number);
    else this.reorder(ring.duePosition);
  }

  protected override before(first: number, second: number): boolean {
    const one = this.#rings[first]!.dueMs;
    const other = this.#rings[second]!.dueMs;
    return one === other ? first < second : one < other;
  }

  protected override place(item: number, position: number): void {
    this.#rings[item]!.duePosition = position;
  }
}
