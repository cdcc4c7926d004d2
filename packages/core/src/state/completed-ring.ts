import { grownDoubles, grownWords, NONE } from './job-columns.js';

const FIRST_CAPACITY = 16;

/**
 * The last completed jobs of a queue, with the token that completed each. Which ones are kept follows from the order of the acks
 * alone, so a replay keeps the same.
 */
export class CompletedRing {
  readonly #kept: number;
  #slots = new Uint32Array(FIRST_CAPACITY);
  #tokens = new Float64Array(FIRST_CAPACITY);
  #oldest = 0;
  #size = 0;

  /** @param kept how many are remembered */
  constructor(kept: number) {
    this.#kept = kept;
  }

  get size(): number {
    return this.#size;
  }

  /** Must be asked before `push`: the slot that has to be forgotten to make room, or NONE. */
  takeOverflow(): number {
    if (this.#size < this.#kept || this.#size === 0) return NONE;
    const slot = this.#slots[this.#oldest]!;
    this.#oldest = (this.#oldest + 1) % this.#slots.length;
    this.#size--;
    return slot;
  }

  /** Whether a completed job is remembered at all. */
  get keeps(): boolean {
    return this.#kept > 0;
  }

  /** @returns the job's place, by which its token is found */
  push(slot: number, token: number, place: (slot: number, position: number) => void): void {
    if (this.#size === this.#slots.length) this.#grow(place);
    const position = (this.#oldest + this.#size++) % this.#slots.length;
    this.#slots[position] = slot;
    this.#tokens[position] = token;
    place(slot, position);
  }

  tokenAt(position: number): number {
    return this.#tokens[position]!;
  }

  #grow(place: (slot: number, position: number) => void): void {
    const capacity = this.#slots.length;
    const slots = grownWords(this.#slots, capacity * 2);
    const tokens = grownDoubles(this.#tokens, capacity * 2);
    for (let index = 0; index < this.#size; index++) {
      const from = (this.#oldest + index) % capacity;
      slots[index] = this.#slots[from]!;
      tokens[index] = this.#tokens[from]!;
      place(slots[index]!, index);
    }
    this.#oldest = 0;
    this.#slots = slots;
    this.#tokens = tokens;
  }
}
