/** The place of a job in the order of claims. */
export interface ClaimPlace {
  readonly priority: number;
  readonly rank_ms: number;
  readonly number: number;
}

/** Before every job. */
const START: ClaimPlace = { priority: -1, rank_ms: Number.MIN_SAFE_INTEGER, number: 0 };

/** Ready jobs that are gone and not cleared away yet: fewer are passed without being felt. */
const GONE_MAX = 20_000;
const COUNT_AGAIN_MS = 5000;
/** Looks from the start take at most one part in so many of the time. */
const REST = 20;

interface Known {
  readonly place: ClaimPlace;
  /** When the last look from the start was made, and how long it took. */
  readonly atMs: number;
  readonly tookMs: number;
}

export interface ClaimStartsOptions {
  /** Ready jobs that are gone and not cleared away. */
  readonly countGone: () => Promise<number>;
  readonly nowMs: () => number;
}

/**
 * Where a claim begins to look. Jobs that are gone keep their entries at the head of the index until the database clears them away, which it cannot do
 * while anybody's transaction is older: then every claim would pass all that was claimed since. So as long as there are many of them
 * a claim begins where the last one found its first job. What came to stand before that place is found by the next look from the
 * start: those are made as often as they take no more than a twentieth of the time, and whenever a look finds too little.
 */
export class ClaimStarts {
  readonly #options: ClaimStartsOptions;
  readonly #known = new Map<string, Known>();
  #isCrowded = false;
  #countAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: ClaimStartsOptions) {
    this.#options = options;
  }

  /** @param take looks from a place on @param key stands for what is wanted */
  async take<Row extends ClaimPlace>(
    key: string,
    limit: number,
    take: (from: ClaimPlace) => Promise<Row[]>,
  ): Promise<Row[]> {
    const rows = await this.#take(key, limit, take);
    if (rows.length > 0) this.#countSoon();
    return rows;
  }

  async #take<Row extends ClaimPlace>(
    key: string,
    limit: number,
    take: (from: ClaimPlace) => Promise<Row[]>,
  ): Promise<Row[]> {
    const known = this.#known.get(key);
    const nowMs = this.#options.nowMs();
    if (!this.#isCrowded || known === undefined || nowMs >= known.atMs + REST * known.tookMs) {
      return this.#fromStart(key, take);
    }
    const rows = await take(known.place);
    if (rows.length === 0) return this.#fromStart(key, take);
    if (rows.length < limit) this.#known.delete(key);
    else this.#known.set(key, { ...known, place: placeOf(rows[0]!) });
    return rows;
  }

  async #fromStart<Row extends ClaimPlace>(key: string, take: (from: ClaimPlace) => Promise<Row[]>): Promise<Row[]> {
    const startedAtMs = this.#options.nowMs();
    const rows = await take(START);
    const atMs = this.#options.nowMs();
    this.#known.delete(key);
    const [first] = rows;
    if (this.#isCrowded && first !== undefined) {
      this.#known.set(key, { place: placeOf(first), atMs, tookMs: atMs - startedAtMs });
    }
    return rows;
  }

  /** No claim waits for it, and one that finds nothing does not ask. */
  #countSoon(): void {
    const nowMs = this.#options.nowMs();
    if (nowMs < this.#countAtMs + COUNT_AGAIN_MS) return;
    this.#countAtMs = nowMs;
    this.#options.countGone().then(
      (gone) => {
        this.#isCrowded = gone > GONE_MAX;
        if (!this.#isCrowded) this.#known.clear();
      },
      () => {},
    );
  }
}

function placeOf({ priority, rank_ms, number }: ClaimPlace): ClaimPlace {
  return { priority, rank_ms, number };
}
