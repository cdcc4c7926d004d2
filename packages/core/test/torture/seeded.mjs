/** The same numbers for the same seed (mulberry32). Plain JavaScript, so that the processes under torture draw as the rigs do. */
export class Seeded {
  #state;

  /** @param {number} seed */
  constructor(seed) {
    this.#state = seed >>> 0;
  }

  /** From [0, 1). */
  fraction() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /**
   * A whole number from [0, end).
   * @param {number} end
   */
  below(end) {
    return Math.floor(this.fraction() * end);
  }

  /** @param {number} probability */
  chance(probability) {
    return this.fraction() < probability;
  }

  /**
   * @template Item
   * @param {readonly [Item, ...Item[]]} items
   * @returns {Item}
   */
  pick(items) {
    return items[this.below(items.length)] ?? items[0];
  }
}

/** HOLDFAST_SEED replays a run; otherwise a new one is chosen. Whoever chooses prints it. */
export function chooseSeed() {
  const given = process.env.HOLDFAST_SEED;
  return given === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(given);
}
