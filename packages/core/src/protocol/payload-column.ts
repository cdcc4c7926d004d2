import type { Payload } from '@holdfast/contract';
import type { PayloadColumn } from '../engine/engine-calls.js';
import { invariant } from '../invariant.js';
import { WordColumn } from './number-columns.js';

/** The kinds of a column's entries: a text, bytes, nothing. */
const TEXT = 0;
const BYTES = 1;
const NONE = 2;

const BYTES_AT_FIRST = 4096;

/** Collects payloads; bytes are copied when they are added, so that the caller may use its buffer again at once. */
export class PayloadColumnWriter {
  #texts: string[] = [];
  readonly #lengths = new WordColumn();
  readonly #kinds = new WordColumn();
  #bytes = new Uint8Array(0);
  #bytesUsed = 0;
  #textOnly = true;

  get count(): number {
    return this.#lengths.count;
  }

  add(payload: Payload | undefined): void {
    if (typeof payload === 'string') {
      this.#texts.push(payload);
      this.#addEntry(TEXT, payload.length);
    } else if (payload === undefined) {
      this.#texts.push('');
      this.#addEntry(NONE, 0);
      this.#textOnly = false;
    } else {
      const { length } = payload;
      this.#reserve(length);
      // First of all: it throws for bytes that cannot be copied (taken away, or longer than they say), and then nothing was added.
      this.#bytes.set(payload, this.#bytesUsed);
      this.#bytesUsed += length;
      this.#texts.push('');
      this.#addEntry(BYTES, length);
      this.#textOnly = false;
    }
  }

  /** Forgets the entries from `count` on. */
  cutTo(count: number): void {
    for (let entry = count; entry < this.#lengths.count; entry++) {
      if (this.#kinds.at(entry) === BYTES) this.#bytesUsed -= this.#lengths.at(entry);
    }
    this.#texts.length = count;
    this.#lengths.cutTo(count);
    this.#kinds.cutTo(count);
  }

  /** What was added so far; the writer is empty afterwards. */
  take(): PayloadColumn {
    const kinds = this.#kinds.take();
    const column: PayloadColumn = {
      text: this.#texts.join(''),
      lengths: this.#lengths.take(),
      ...(this.#textOnly ? {} : { kinds: Uint8Array.from(kinds) }),
      ...(this.#bytesUsed === 0 ? {} : { bytes: this.#bytes.slice(0, this.#bytesUsed) }),
    };
    this.#texts = [];
    this.#bytes = new Uint8Array(0);
    this.#bytesUsed = 0;
    this.#textOnly = true;
    return column;
  }

  #addEntry(kind: number, length: number): void {
    this.#kinds.push(kind);
    this.#lengths.push(length);
  }

  #reserve(more: number): void {
    const needed = this.#bytesUsed + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(BYTES_AT_FIRST, this.#bytes.length * 2, needed));
    grown.set(this.#bytes.subarray(0, this.#bytesUsed));
    this.#bytes = grown;
  }
}

/** Gives the entries of a column again, each once and in order. Byte payloads are views into the column's buffer. */
export class PayloadColumnReader {
  readonly #column: PayloadColumn;
  #entry = 0;
  #textAt = 0;
  #bytesAt = 0;

  constructor(column: PayloadColumn) {
    this.#column = column;
  }

  next(): Payload | undefined {
    const length = this.#column.lengths[this.#entry];
    invariant(length !== undefined, 'a payload column has an entry for each of its items');
    const kind = this.#column.kinds === undefined ? TEXT : this.#column.kinds[this.#entry];
    this.#entry++;
    if (kind === NONE) return undefined;
    return kind === TEXT ? this.#nextText(length) : this.#nextBytes(length);
  }

  /**
   * For columns that have no empty entries. Bytes have a buffer of their own: whoever keeps one of many payloads, or sends it to another thread,
   * would keep or copy all of them.
   */
  nextOwned(): Payload {
    const payload = this.next();
    invariant(payload !== undefined, 'every job has a payload');
    if (typeof payload === 'string' || payload.length === payload.buffer.byteLength) return payload;
    return payload.slice();
  }

  #nextText(length: number): string {
    const start = this.#textAt;
    this.#textAt += length;
    return this.#column.text.slice(start, this.#textAt);
  }

  #nextBytes(length: number): Uint8Array {
    const start = this.#bytesAt;
    this.#bytesAt += length;
    return this.#column.bytes?.subarray(start, this.#bytesAt) ?? new Uint8Array(0);
  }
}

/** The buffers of a column that should move with its message. */
export function buffersOf(column: PayloadColumn | undefined): readonly ArrayBuffer[] {
  return column?.bytes === undefined ? [] : [column.bytes.buffer];
}
