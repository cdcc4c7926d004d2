import { invariant } from '../invariant.js';

const WORD_BITS = 32;

/** Which places of a ring are taken. The number of places is a power of two. */
export class RingBits {
  readonly #words: Uint32Array;
  readonly #places: number;

  constructor(places: number) {
    invariant(
      places >= WORD_BITS && Math.log2(places) % 1 === 0,
      'the places of a ring are a power of two, 32 or more',
    );
    this.#places = places;
    this.#words = new Uint32Array(places / WORD_BITS);
  }

  set(place: number): void {
    this.#words[place >>> 5]! |= 1 << (place & 31);
  }

  clear(place: number): void {
    this.#words[place >>> 5]! &= ~(1 << (place & 31));
  }

  /** Steps from a place to the next one that is taken, round the ring: 1 to `places` - 1. 0 where no other one is. */
  stepsToNext(place: number): number {
    const words = this.#words;
    const mask = this.#places - 1;
    for (let steps = 1; steps < this.#places; ) {
      const at = (place + steps) & mask;
      const ahead = words[at >>> 5]! >>> (at & 31);
      if (ahead !== 0) {
        const found = steps + (31 - Math.clz32(ahead & -ahead));
        return found < this.#places ? found : 0;
      }
      steps += WORD_BITS - (at & 31);
    }
    return 0;
  }
}
