import { grownDoubles } from './grown-columns.js';

const WORD = 2 ** 32;
const FIRST_SEGMENTS = 64;

/**
 * Bytes of the records that hold the kept jobs (ENQUEUE, or the last MOVE), by segment: what compaction would have to write again
 * before a segment can go.
 */
export class HomeBytes {
  #bytes = new Float64Array(FIRST_SEGMENTS);
  #total = 0;

  get total(): number {
    return this.#total;
  }

  of(segmentNumber: number): number {
    return this.#bytes[segmentNumber] ?? 0;
  }

  add(location: number, recordBytes: number): void {
    const segmentNumber = Math.floor(location / WORD);
    while (segmentNumber >= this.#bytes.length) this.#bytes = grownDoubles(this.#bytes, this.#bytes.length * 2);
    this.#bytes[segmentNumber]! += recordBytes;
    this.#total += recordBytes;
  }

  remove(location: number, recordBytes: number): void {
    this.#bytes[Math.floor(location / WORD)]! -= recordBytes;
    this.#total -= recordBytes;
  }
}
