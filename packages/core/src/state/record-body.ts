/**
 * The body of one record where it lies in a larger buffer (`buffer` and `view` are the same bytes). It is filled or read at
 * once and never kept: its owner reuses it for the next record.
 */
export interface RecordBody {
  readonly buffer: Uint8Array;
  readonly view: DataView;
  readonly offset: number;
  readonly bodyBytes: number;
}

/** A record whose checksum is right but whose contents make no sense. */
export class RecordError extends Error {
  override readonly name = 'RecordError';
}

const WORD = 2 ** 32;

export function writeU64(view: DataView, at: number, value: number): void {
  const low = value >>> 0;
  view.setUint32(at, low, true);
  view.setUint32(at + 4, (value - low) / WORD, true);
}

export function readU64(view: DataView, at: number): number {
  const value = view.getUint32(at + 4, true) * WORD + view.getUint32(at, true);
  if (value > Number.MAX_SAFE_INTEGER) throw new RecordError(`holds the number ${value}, beyond 2^53`);
  return value;
}

let lastBytes: Uint8Array = new Uint8Array(0);
let lastBuffer: Buffer = Buffer.alloc(0);

/** The same bytes with Buffer's fast text calls. The log writes into one buffer for long, so the last one is remembered. */
export function asBuffer(bytes: Uint8Array): Buffer {
  if (bytes !== lastBytes) {
    lastBytes = bytes;
    lastBuffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  return lastBuffer;
}

/** Writes the fields of a body one after the other. */
export class BodyWriter {
  readonly #body: RecordBody;
  #at: number;

  constructor(body: RecordBody) {
    this.#body = body;
    this.#at = body.offset;
  }

  u8(value: number): this {
    this.#body.view.setUint8(this.#at, value);
    this.#at += 1;
    return this;
  }

  u16(value: number): this {
    this.#body.view.setUint16(this.#at, value, true);
    this.#at += 2;
    return this;
  }

  u32(value: number): this {
    this.#body.view.setUint32(this.#at, value, true);
    this.#at += 4;
    return this;
  }

  u64(value: number): this {
    writeU64(this.#body.view, this.#at, value);
    this.#at += 8;
    return this;
  }

  str8(text: Uint8Array): this {
    this.u8(text.length);
    return this.bytes(text);
  }

  str16(text: Uint8Array): this {
    this.u16(text.length);
    return this.bytes(text);
  }

  bytes(bytes: Uint8Array): this {
    this.#body.buffer.set(bytes, this.#at);
    this.#at += bytes.length;
    return this;
  }
}

/** Reads the fields of a body one after the other; a field that passes the end is a RecordError. */
export class BodyReader {
  readonly #body: RecordBody;
  readonly #end: number;
  #at: number;

  constructor(body: RecordBody) {
    this.#body = body;
    this.#at = body.offset;
    this.#end = body.offset + body.bodyBytes;
  }

  u8(): number {
    return this.#body.view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#body.view.getUint16(this.#take(2), true);
  }

  u32(): number {
    return this.#body.view.getUint32(this.#take(4), true);
  }

  u64(): number {
    return readU64(this.#body.view, this.#take(8));
  }

  str8(): string {
    return this.text(this.u8());
  }

  str16(): string {
    return this.text(this.u16());
  }

  text(bytes: number): string {
    const at = this.#take(bytes);
    return asBuffer(this.#body.buffer).toString('utf8', at, at + bytes);
  }

  /** A copy. */
  bytes(bytes: number): Uint8Array {
    const at = this.#take(bytes);
    return this.#body.buffer.slice(at, at + bytes);
  }

  skip(bytes: number): void {
    this.#take(bytes);
  }

  /** Bytes that were not read yet. */
  get left(): number {
    return this.#end - this.#at;
  }

  end(): void {
    if (this.left !== 0) throw new RecordError(`is ${this.left} bytes longer than its fields`);
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (at + bytes > this.#end) throw new RecordError('is shorter than its fields');
    this.#at = at + bytes;
    return at;
  }
}
