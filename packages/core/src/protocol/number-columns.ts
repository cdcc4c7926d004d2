const FIRST_PLACES = 64;

/**
 * Numbers of many items, collected in one array that is used again for the next batch: a list that grows anew for each batch is
 * copied several times and leaves all its copies to the garbage collector.
 */
abstract class NumberColumn<Values extends Float64Array<ArrayBuffer> | Uint32Array<ArrayBuffer>> {
  #values: Values;
  #count = 0;

  constructor(first: Values) {
    this.#values = first;
  }

  get count(): number {
    return this.#count;
  }

  at(place: number): number {
    return this.#values[place]!;
  }

  push(value: number): void {
    if (this.#count === this.#values.length) {
      const grown = this.make(this.#count * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#count++] = value;
  }

  /** Forgets the numbers from `count` on, if there are as many. */
  cutTo(count: number): void {
    this.#count = Math.min(this.#count, count);
  }

  /** A copy of what was added so far; the column is empty afterwards. */
  take(): Values {
    const taken = this.#values.slice(0, this.#count) as Values;
    this.#count = 0;
    return taken;
  }

  protected abstract make(places: number): Values;
}

export class DoubleColumn extends NumberColumn<Float64Array<ArrayBuffer>> {
  constructor() {
    super(new Float64Array(FIRST_PLACES));
  }

  protected make(places: number): Float64Array<ArrayBuffer> {
    return new Float64Array(places);
  }
}

/** From 0 to 2³² - 1. */
export class WordColumn extends NumberColumn<Uint32Array<ArrayBuffer>> {
  constructor() {
    super(new Uint32Array(FIRST_PLACES));
  }

  protected make(places: number): Uint32Array<ArrayBuffer> {
    return new Uint32Array(places);
  }
}

/** Numbers that few items have: nothing is kept until one has. */
export class RareColumn {
  readonly #values = new DoubleColumn();

  /** The number of the item at this place; those of earlier places without any are NaN. */
  put(place: number, value: number | undefined): void {
    if (value === undefined) return;
    while (this.#values.count < place) this.#values.push(Number.NaN);
    this.#values.push(value);
  }

  cutTo(count: number): void {
    this.#values.cutTo(count);
  }

  /** One number for each of `count` items; `undefined` when none has one. The column is empty afterwards. */
  take(count: number): Float64Array<ArrayBuffer> | undefined {
    if (this.#values.count === 0) return undefined;
    while (this.#values.count < count) this.#values.push(Number.NaN);
    return this.#values.take();
  }
}
