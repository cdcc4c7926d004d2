import { randomInt } from 'node:crypto';

/** Chance that can be had again: set HOLDFAST_SEED to the seed that a failed run printed. */
export class Dice {
  readonly seed: number;
  #state: number;

  constructor(seed = Number(process.env.HOLDFAST_SEED ?? randomInt(2 ** 31))) {
    this.seed = seed;
    this.#state = seed >>> 0;
  }

  /** Evenly from [0, 1): mulberry32. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1));
  }
}
