import { grownHalves } from './grown-columns.js';

/** In the place of a size that is kept beside the column. */
const WIDE = 0xffff;

/** A size in bytes for each row, in two bytes; those of 64 KiB and more, which are few beside what they measure, lie in a map. */
export class SizeColumn {
  #sizes: Uint16Array<ArrayBuffer>;
  readonly #wide = new Map<number, number>();

  constructor(capacity: number) {
    this.#sizes = new Uint16Array(capacity);
  }

  /** Without the map. */
  get byteLength(): number {
    return this.#sizes.byteLength;
  }

  get wideSizes(): number {
    return this.#wide.size;
  }

  at(row: number): number {
    const size = this.#sizes[row]!;
    return size === WIDE ? this.#wide.get(row)! : size;
  }

  set(row: number, bytes: number): void {
    if (this.#sizes[row] === WIDE) this.#wide.delete(row);
    this.#sizes[row] = Math.min(bytes, WIDE);
    if (bytes >= WIDE) this.#wide.set(row, bytes);
  }

  grow(capacity: number): void {
    this.#sizes = grownHalves(this.#sizes, capacity);
  }
}
