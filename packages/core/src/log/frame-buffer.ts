import { invariant } from '../invariant.js';
import { LIMITS } from '../limits.js';
import { crc32c } from './crc32c.js';
import { encodeFrameHeader, FRAME_HEADER_BYTES, FRAME_TYPE, type FrameHeader, frameBytes } from './frame-codec.js';
import type { LogRecord } from './log-record.js';
import { beginRecord, finishRecord, RECORD_HEADER_BYTES, RecordCursor } from './record-codec.js';

const START_BYTES = 64 * 1024;
/** A buffer that one large frame made larger than this is not kept. */
const KEPT_BYTES_MAX = 8 * 1024 * 1024;

/** The coming frame: records are laid out in it as they will be on the disk. */
export class FrameBuffer {
  readonly #cursor = new RecordCursor();
  #length = FRAME_HEADER_BYTES;
  #records = 0;
  /** The header of the last record, whose sum is missing until its body is in place; 0 when there is none. */
  #unfinishedAt = 0;

  constructor() {
    this.#resize(START_BYTES);
  }

  get records(): number {
    return this.#records;
  }

  /** Header and records, without padding. */
  get length(): number {
    return this.#length;
  }

  /** @param frameLocation location of the frame's first byte */
  reserve(kind: number, flags: number, bodyBytes: number, frameLocation: number): LogRecord {
    invariant(kind > 0 && kind < 256, 'a record has a kind');
    this.#finishLast();
    const at = this.#length;
    const end = at + RECORD_HEADER_BYTES + bodyBytes;
    if (end > this.#cursor.buffer.length) this.#grow(end);
    beginRecord(this.#cursor.view, at, kind, flags, bodyBytes);
    this.#cursor.point(at, frameLocation + at);
    this.#length = end;
    this.#records++;
    this.#unfinishedAt = at;
    return this.#cursor;
  }

  /** The whole frame with its header and padding, valid until the next call. */
  finish(place: Pick<FrameHeader, 'salt' | 'seq' | 'durableUpTo' | 'offset'>): Uint8Array {
    this.#finishLast();
    const { buffer, view } = this.#cursor;
    const recordsBytes = this.#length - FRAME_HEADER_BYTES;
    const bytes = frameBytes(recordsBytes);
    invariant(bytes <= LIMITS.frameBytesMax, 'a frame is not larger than its limit');
    buffer.fill(0, this.#length, bytes);
    const recordsCrc = crc32c(buffer, FRAME_HEADER_BYTES, this.#length);
    const recordCount = this.#records;
    encodeFrameHeader(buffer, view, 0, { ...place, type: FRAME_TYPE.records, recordsBytes, recordCount, recordsCrc });
    return buffer.subarray(0, bytes);
  }

  clear(): void {
    this.#length = FRAME_HEADER_BYTES;
    this.#records = 0;
    this.#unfinishedAt = 0;
    if (this.#cursor.buffer.length > KEPT_BYTES_MAX) this.#resize(START_BYTES);
  }

  /** The bytes of the pending records, for reading one of them. */
  pending(): Uint8Array {
    this.#finishLast();
    return this.#cursor.buffer.subarray(0, this.#length);
  }

  #finishLast(): void {
    if (this.#unfinishedAt === 0) return;
    finishRecord(this.#cursor.buffer, this.#cursor.view, this.#unfinishedAt, this.#length);
    this.#unfinishedAt = 0;
  }

  #grow(needed: number): void {
    invariant(needed <= LIMITS.frameBytesMax, 'the pending records fit into one frame');
    const old = this.#cursor.buffer;
    // 8 more than needed leave room for the padding.
    this.#resize(Math.min(Math.max(old.length * 2, needed + 8), LIMITS.frameBytesMax));
    this.#cursor.buffer.set(old.subarray(0, this.#length));
  }

  #resize(bytes: number): void {
    this.#cursor.buffer = new Uint8Array(bytes);
    this.#cursor.view = new DataView(this.#cursor.buffer.buffer);
  }
}
