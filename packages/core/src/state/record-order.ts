/**
 * The order in which jobs came to their ends, as numbers that are the same in every replay: the location of the record that ended a
 * job, and the job's place in it. An item of a record is longer than a byte, so this grows from record to record as well.
 */
export class EndOrder {
  #location = 0;
  #items = 0;

  /** Must be asked for each item of a record, in order, also for those of jobs that are not known. */
  next(location: number): number {
    if (location !== this.#location) this.#items = 0;
    this.#location = location;
    return location + this.#items++;
  }
}

/** Jobs without a delay rank in the order in which they came, also if the wall clock was set back in between. */
export class RankOrder {
  #floorMs = 0;
  #leadMs = 0;

  next(atMs: number): number {
    this.raise(atMs);
    this.noteLead(this.#floorMs - atMs);
    return this.#floorMs;
  }

  /** How much later a job ranks, at most, than it could start: as far as the clock was set back. */
  get leadMs(): number {
    return this.#leadMs;
  }

  noteLead(leadMs: number): void {
    if (leadMs > this.#leadMs) this.#leadMs = leadMs;
  }

  /** No job without a delay that comes from now on ranks before it. */
  get floorMs(): number {
    return this.#floorMs;
  }

  raise(floorMs: number): void {
    if (floorMs > this.#floorMs) this.#floorMs = floorMs;
  }
}

/** Tokens grow, also those of jobs that are not known (any more). */
export class TokenOrder {
  #last = 0;

  isNew(token: number): boolean {
    return token > this.#last;
  }

  raise(token: number): void {
    if (token > this.#last) this.#last = token;
  }
}
