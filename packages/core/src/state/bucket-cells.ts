import { invariant } from '../invariant.js';
import { grownCapacity, grownHalves, grownWords } from './grown-columns.js';

/** Cells of a chunk. Half of one is lost for each bucket that is in use. */
const CHUNK = 64;
const CHUNK_SHIFT = 6;
const FIRST_CHUNKS = 16;
/** No chunk. */
const NO_CHUNK = 0xffff_ffff;

/**
 * Buckets of small whole numbers (slots of a table), in no order: chunks of cells that lie in one array, four bytes a number. Any of them is
 * taken out in O(1) by its cell, whatever bucket that belongs to; the last one of the bucket moves into the gap.
 */
export abstract class BucketCells {
  #cells = new Uint32Array(0);
  /** By chunk: its bucket, and the full chunk before it in the bucket, or in the list of free ones. */
  #bucketOf = new Uint16Array(0);
  #before = new Uint32Array(0);
  #firstFree = NO_CHUNK;
  /** By bucket: the chunk that is being filled, and how many cells of it are in use. */
  readonly #last: Uint32Array;
  readonly #filled: Uint8Array;
  #size = 0;

  constructor(buckets: number) {
    invariant(buckets <= 0xffff, 'a bucket fits into 16 bits');
    this.#last = new Uint32Array(buckets).fill(NO_CHUNK);
    this.#filled = new Uint8Array(buckets);
  }

  /** Notes the cell in which a number lies now. */
  protected abstract placeInCell(item: number, cell: number): void;

  /** Numbers in all buckets. */
  get cellsInUse(): number {
    return this.#size;
  }

  isEmpty(bucket: number): boolean {
    return this.#last[bucket] === NO_CHUNK;
  }

  addTo(bucket: number, item: number): void {
    let chunk = this.#last[bucket]!;
    if (chunk === NO_CHUNK || this.#filled[bucket] === CHUNK) chunk = this.#startChunk(bucket, chunk);
    const cell = (chunk << CHUNK_SHIFT) + this.#filled[bucket]!++;
    this.#cells[cell] = item;
    this.#size++;
    this.placeInCell(item, cell);
  }

  /** Takes the number out of its cell. @returns the bucket that it was in */
  removeFrom(cell: number): number {
    const bucket = this.#bucketOf[cell >>> CHUNK_SHIFT]!;
    const lastCell = this.#lastCell(bucket);
    const last = this.#cells[lastCell]!;
    this.#dropLast(bucket);
    if (cell !== lastCell) {
      this.#cells[cell] = last;
      this.placeInCell(last, cell);
    }
    return bucket;
  }

  /** Takes out any number of a bucket that is not empty. */
  takeFrom(bucket: number): number {
    const item = this.#cells[this.#lastCell(bucket)]!;
    this.#dropLast(bucket);
    return item;
  }

  #lastCell(bucket: number): number {
    return (this.#last[bucket]! << CHUNK_SHIFT) + this.#filled[bucket]! - 1;
  }

  #dropLast(bucket: number): void {
    this.#size--;
    if (--this.#filled[bucket]! > 0) return;
    const chunk = this.#last[bucket]!;
    const before = this.#before[chunk]!;
    this.#last[bucket] = before;
    this.#filled[bucket] = before === NO_CHUNK ? 0 : CHUNK;
    this.#before[chunk] = this.#firstFree;
    this.#firstFree = chunk;
  }

  #startChunk(bucket: number, before: number): number {
    if (this.#firstFree === NO_CHUNK) this.#grow();
    const chunk = this.#firstFree;
    this.#firstFree = this.#before[chunk]!;
    this.#before[chunk] = before;
    this.#bucketOf[chunk] = bucket;
    this.#last[bucket] = chunk;
    this.#filled[bucket] = 0;
    return chunk;
  }

  #grow(): void {
    const chunks = this.#before.length;
    const wanted = Math.max(FIRST_CHUNKS, grownCapacity(chunks << CHUNK_SHIFT) >>> CHUNK_SHIFT);
    this.#cells = grownWords(this.#cells, wanted << CHUNK_SHIFT);
    this.#bucketOf = grownHalves(this.#bucketOf, wanted);
    this.#before = grownWords(this.#before, wanted);
    for (let chunk = wanted - 1; chunk >= chunks; chunk--) {
      this.#before[chunk] = this.#firstFree;
      this.#firstFree = chunk;
    }
  }
}
