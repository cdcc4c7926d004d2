import { grownDoubles, grownWords, NONE } from './job-columns.js';

const FIRST_CAPACITY = 16;

/**
 * The last jobs of a queue that came to an end, and the token of the ack that completed each (0: none). Which ones are kept follows
 * from the order of the records alone, so a replay keeps the same.
 */
export class KeptRing {
  readonly #kept: number;
  #slots = new Uint32Array(FIRST_CAPACITY);
  #tokens = new Float64Array(FIRST_CAPACITY);
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
    let slot = NONE;
    while (slot === NONE) {
      slot = this.#slots[this.#oldest]!;
      this.#oldest = (this.#oldest + 1) % this.#slots.length;
      this.#span--;
    }
    this.#size--;
    return slot;
  }

  /** Whether a job is remembered at all. */
  get keeps(): boolean {
    return this.#kept > 0;
  }

  /** `place` is told where the job stands, and where others stand that had to move. */
  push(slot: number, token: number, place: (slot: number, position: number) => void): void {
    if (this.#span === this.#slots.length) this.#makeRoom(place);
    const position = (this.#oldest + this.#span++) % this.#slots.length;
    this.#slots[position] = slot;
    this.#tokens[position] = token;
    this.#size++;
    place(slot, position);
  }

  /** Takes out one that is forgotten before its time. */
  removeAt(position: number): void {
    this.#slots[position] = NONE;
    this.#size--;
  }

  tokenAt(position: number): number {
    return this.#tokens[position]!;
  }

  /** Closes the holes; without enough of them the ring grows. */
  #makeRoom(place: (slot: number, position: number) => void): void {
    const before = this.#slots.length;
    const capacity = this.#size > before / 2 ? before * 2 : before;
    const slots = grownWords(new Uint32Array(0), capacity);
    const tokens = grownDoubles(new Float64Array(0), capacity);
    let position = 0;
    for (let index = 0; index < this.#span; index++) {
      const from = (this.#oldest + index) % before;
      const slot = this.#slots[from]!;
      if (slot === NONE) continue;
      slots[position] = slot;
      tokens[position] = this.#tokens[from]!;
      place(slot, position++);
    }
    this.#oldest = 0;
    this.#span = position;
    this.#slots = slots;
    this.#tokens = tokens;
  }
}
