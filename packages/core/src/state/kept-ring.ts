import { grownDoubles, grownWords, NONE } from './job-columns.js';

const FIRST_CAPACITY = 16;

/**
 * The last jobs of a queue that came to an end, and the token of the ack that completed each (0: none). Which ones are kept follows
 * from the order of the records alone, so a replay keeps the same. `order` is the place of a job's end in that order.
 */
export class KeptRing {
  readonly #kept: number;
  #slots = new Uint32Array(FIRST_CAPACITY);
  #tokens = new Float64Array(FIRST_CAPACITY);
  #orders = new Float64Array(FIRST_CAPACITY);
  /** Every job that had to make room has a lower order. */
  #forgottenBelow = 0;
  /** The ring is in use from here on, for `#span` places; some of them are holes. */
  #oldest = 0;
  #span = 0;
  #size = 0;

  /** @param kept how many are remembered */
  constructor(kept: number) {
    this.#kept = kept;
  }

  get size(): number {
    return this.#size;
  }

  /** Must be asked before `push`: the slot that has to be forgotten to make room, or NONE. It has left the ring then. */
  takeOverflow(): number {
    if (this.#size < this.#kept || this.#size === 0) return NONE;
    this.#dropHoles();
    this.#forgottenBelow = Math.max(this.#forgottenBelow, this.#orders[this.#oldest]! + 1);
    return this.#takeOldest();
  }

  get forgottenBelow(): number {
    return this.#forgottenBelow;
  }

  /** What a log says that it had forgotten. Takes out the next job that is older, or answers NONE: ask until it does. */
  takeBelow(order: number): number {
    this.#forgottenBelow = Math.max(this.#forgottenBelow, order);
    if (this.#size === 0) return NONE;
    this.#dropHoles();
    return this.#orders[this.#oldest]! < order ? this.#takeOldest() : NONE;
  }

  /** Whether a job of this order has been forgotten, or would be at once. */
  isPast(order: number): boolean {
    if (!this.keeps || order < this.#forgottenBelow) return true;
    if (this.#size < this.#kept) return false;
    this.#dropHoles();
    return order < this.#orders[this.#oldest]!;
  }

  /** Whether a job is remembered at all. */
  get keeps(): boolean {
    return this.#kept > 0;
  }

  /**
   * The latest end is the usual case; a replay meets earlier ones too, where the segment that holds the end is gone. `place` is told
   * where the job stands, and where others stand that had to move.
   */
  push(slot: number, token: number, order: number, place: (slot: number, position: number) => void): void {
    if (this.#span === this.#slots.length) this.#makeRoom(place);
    let rank = this.#span++;
    while (rank > 0 && this.#orders[this.#at(rank - 1)]! > order) {
      const to = this.#at(rank--);
      const from = this.#at(rank);
      this.#put(to, this.#slots[from]!, this.#tokens[from]!, this.#orders[from]!);
      if (this.#slots[to] !== NONE) place(this.#slots[to]!, to);
    }
    this.#put(this.#at(rank), slot, token, order);
    this.#size++;
    place(slot, this.#at(rank));
  }

  /** Takes out one that is forgotten before its time. */
  removeAt(position: number): void {
    this.#slots[position] = NONE;
    this.#size--;
  }

  tokenAt(position: number): number {
    return this.#tokens[position]!;
  }

  orderAt(position: number): number {
    return this.#orders[position]!;
  }

  #at(rank: number): number {
    return (this.#oldest + rank) % this.#slots.length;
  }

  #put(position: number, slot: number, token: number, order: number): void {
    this.#slots[position] = slot;
    this.#tokens[position] = token;
    this.#orders[position] = order;
  }

  /** There must be a job. */
  #dropHoles(): void {
    while (this.#slots[this.#oldest] === NONE) this.#shrink();
  }

  #takeOldest(): number {
    const slot = this.#slots[this.#oldest]!;
    this.#shrink();
    this.#size--;
    return slot;
  }

  #shrink(): void {
    this.#oldest = (this.#oldest + 1) % this.#slots.length;
    this.#span--;
  }

  /** Closes the holes; without enough of them the ring grows. */
  #makeRoom(place: (slot: number, position: number) => void): void {
    const before = this.#slots.length;
    const capacity = this.#size > before / 2 ? before * 2 : before;
    const slots = grownWords(new Uint32Array(0), capacity);
    const tokens = grownDoubles(new Float64Array(0), capacity);
    const orders = grownDoubles(new Float64Array(0), capacity);
    let position = 0;
    for (let index = 0; index < this.#span; index++) {
      const from = (this.#oldest + index) % before;
      const slot = this.#slots[from]!;
      if (slot === NONE) continue;
      slots[position] = slot;
      tokens[position] = this.#tokens[from]!;
      orders[position] = this.#orders[from]!;
      place(slot, position++);
    }
    this.#oldest = 0;
    this.#span = position;
    this.#slots = slots;
    this.#tokens = tokens;
    this.#orders = orders;
  }
}
