import { grownCapacity, grownWords } from './grown-columns.js';

/** Children of a node: four keep the tree flat, and their keys are compared while they are in the cache. */
const BRANCHES = 4;

const FIRST_CAPACITY = 16;
/** Of all heaps that never held anything: there are many. */
const NO_ITEMS = new Uint32Array(0);

/**
 * A heap of small whole numbers (slots of a table) that knows where each of them stands, so that any can be taken out in
 * O(log n). The order and the place of a slot's position belong to the table: the two methods below say them.
 */
export abstract class IndexedHeap {
  #items = NO_ITEMS;
  #size = 0;

  /** Whether `first` stands before `second`. Must be a strict order that does not change while both are in the heap. */
  protected abstract before(first: number, second: number): boolean;
  /** Notes where a slot stands now. */
  protected abstract place(item: number, position: number): void;

  get size(): number {
    return this.#size;
  }

  /** The first slot. Only with `size > 0`. */
  get top(): number {
    return this.#items[0]!;
  }

  /** The slot at a position below `size`; 0 is the first, the others are in heap order. */
  at(position: number): number {
    return this.#items[position]!;
  }

  /** Visits slots from the first one on, going on below those for which `visit` answers true. */
  visitDown(visit: (item: number) => boolean): void {
    const open = this.#size > 0 ? [0] : [];
    for (let position = open.pop(); position !== undefined; position = open.pop()) {
      if (!visit(this.#items[position]!)) continue;
      const child = position * BRANCHES + 1;
      const end = Math.min(child + BRANCHES, this.#size);
      for (let next = child; next < end; next++) open.push(next);
    }
  }

  push(item: number): void {
    if (this.#size === this.#items.length) this.#grow();
    this.#rise(item, this.#size++);
  }

  /** Takes out the slot that stands at `position`. */
  removeAt(position: number): void {
    const last = this.#items[--this.#size]!;
    if (position === this.#size) return;
    this.#settle(last, position);
  }

  /** Puts the slot at `position` where it belongs after its key changed. */
  reorder(position: number): void {
    this.#settle(this.#items[position]!, position);
  }

  #settle(item: number, position: number): void {
    const parent = (position - 1) >> 2;
    if (position > 0 && this.before(item, this.#items[parent]!)) this.#rise(item, position);
    else this.#sink(item, position);
  }

  #rise(item: number, from: number): void {
    const items = this.#items;
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 2;
      const above = items[parent]!;
      if (!this.before(item, above)) break;
      items[position] = above;
      this.place(above, position);
      position = parent;
    }
    items[position] = item;
    this.place(item, position);
  }

  #sink(item: number, from: number): void {
    const items = this.#items;
    const size = this.#size;
    let position = from;
    for (let child = position * BRANCHES + 1; child < size; child = position * BRANCHES + 1) {
      let first = child;
      const end = Math.min(child + BRANCHES, size);
      for (let next = child + 1; next < end; next++) {
        if (this.before(items[next]!, items[first]!)) first = next;
      }
      const below = items[first]!;
      if (!this.before(below, item)) break;
      items[position] = below;
      this.place(below, position);
      position = first;
    }
    items[position] = item;
    this.place(item, position);
  }

  #grow(): void {
    this.#items = grownWords(this.#items, Math.max(FIRST_CAPACITY, grownCapacity(this.#items.length)));
  }
}
