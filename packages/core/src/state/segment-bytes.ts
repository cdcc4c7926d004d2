import { grownDoubles } from './grown-columns.js';

const WORD = 2 ** 32;
const FIRST_SEGMENTS = 64;

/** Bytes by the segment in which they lie. */
export class SegmentBytes {
  #bytes = new Float64Array(FIRST_SEGMENTS);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(segmentNumber: number): number {
    return this.#bytes[segmentNumber] ?? 0;
  }

  add(location: number, bytes: number): void {
    const segmentNumber = Math.floor(location / WORD);
    while (segmentNumber >= this.#bytes.length) this.#bytes = grownDoubles(this.#bytes, this.#bytes.length * 2);
    this.#bytes[segmentNumber]! += bytes;
    this.#total += bytes;
  }

  remove(location: number, bytes: number): void {
    this.#bytes[Math.floor(location / WORD)]! -= bytes;
    this.#total -= bytes;
  }
}

/** What compaction has to write again before a segment can go. */
export class KeptBytes {
  /** Records that hold the kept jobs: ENQUEUE, or the last MOVE or REPLACE. */
  readonly homes = new SegmentBytes();
  /** The last word on what stands beside the jobs: requests, keys of forgotten jobs, pauses, and which ended jobs are forgotten. */
  readonly facts = new SegmentBytes();

  get total(): number {
    return this.homes.total + this.facts.total;
  }

  of(segmentNumber: number): number {
    return this.homes.of(segmentNumber) + this.facts.of(segmentNumber);
  }
}
