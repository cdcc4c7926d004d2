import { crc32c } from './crc32c.js';
import type { LogFile } from './file-system.js';
import {
  decodeFrameHeader,
  FRAME_HEADER_BYTES,
  FRAME_TYPE,
  type FrameHeader,
  frameBytes,
  frameHeaderCrc,
} from './frame-codec.js';
import type { ReadWindow } from './read-window.js';
import { SEGMENT_HEADER_BYTES } from './segment-header.js';

/** A valid frame. Its bytes are `window.buffer` from `at` on, until the reader moves on. */
export interface Frame {
  readonly header: FrameHeader;
  readonly headerCrc: number;
  readonly at: number;
  readonly bytes: number;
}

export interface WalkedSegment {
  readonly salt: bigint;
  readonly firstSeq: number;
  /** No frame begins at it or behind: of the tail, `LogFile.dataEnd`; of a sealed segment the end of the file, which is left out. */
  readonly dataEnd?: number | undefined;
}

/** Walks the frames of one segment from the first on, and checks each completely. */
export class FrameReader {
  /** Where the next frame begins: the end of the last valid one. */
  position = SEGMENT_HEADER_BYTES;
  nextSeq: number;
  /** The last valid frame's header; `undefined` before the first. */
  last: FrameHeader | undefined;
  lastCrc = 0;
  /** Why the walk stopped before the end of the data; `undefined` when it reached it. */
  problem: string | undefined;
  readonly #window: ReadWindow;
  readonly #salt: bigint;
  readonly #size: number;
  readonly #dataEnd: number;

  constructor(file: LogFile, window: ReadWindow, segment: WalkedSegment) {
    this.#window = window;
    this.#salt = segment.salt;
    this.nextSeq = segment.firstSeq;
    this.#size = file.size();
    this.#dataEnd = segment.dataEnd ?? this.#size;
    window.use(file, this.#size);
  }

  get size(): number {
    return this.#size;
  }

  get dataEnd(): number {
    return this.#dataEnd;
  }

  /** The next valid frame; `undefined` at the end of the data or where there is none (see `problem`). */
  next(): Frame | undefined {
    if (this.position >= this.#dataEnd || this.problem !== undefined) return undefined;
    const frame = this.#check();
    if (typeof frame === 'string') {
      this.problem = frame;
      return undefined;
    }
    this.position += frame.bytes;
    this.nextSeq++;
    this.last = frame.header;
    this.lastCrc = frame.headerCrc;
    return frame;
  }

  #check(): Frame | string {
    const window = this.#window;
    let at = window.load(this.position, FRAME_HEADER_BYTES);
    if (at < 0) return 'a frame header is cut off';
    const header = decodeFrameHeader(window.buffer, window.view, at);
    if (header === undefined) return 'there is no frame header';
    const misplaced = this.#misplaced(header);
    if (misplaced !== undefined) return misplaced;
    const bytes = frameBytes(header.recordsBytes);
    // Compared before anything of that size is allocated.
    if (bytes > this.#size - this.position) return 'a frame is cut off';
    at = window.load(this.position, bytes);
    if (at < 0) return 'a frame is cut off';
    const start = at + FRAME_HEADER_BYTES;
    const end = start + header.recordsBytes;
    if (crc32c(window.buffer, start, end) !== header.recordsCrc) return 'records do not match their checksum';
    for (let index = end; index < at + bytes; index++) if (window.buffer[index] !== 0) return 'padding is not zero';
    return { header, headerCrc: frameHeaderCrc(window.view, at), at, bytes };
  }

  #misplaced(header: FrameHeader): string | undefined {
    if (header.salt !== this.#salt) return 'a frame of another file stands here';
    if (header.offset !== this.position) return 'a frame of another place stands here';
    if (header.seq !== this.nextSeq) return 'a frame is out of order';
    const after = this.last?.type;
    if (after === FRAME_TYPE.seal) return 'a frame follows the end of the segment';
    if (after === FRAME_TYPE.close && header.type !== FRAME_TYPE.seal) return 'a frame follows the end of the log';
    return undefined;
  }
}

/**
 * Looks behind the place where a frame is not valid for the proof that it had been durable: a header that was written after its
 * sync had returned.
 * @returns the offset of such a header
 */
export function findEvidence(
  window: ReadWindow,
  tail: { readonly salt: bigint; readonly position: number; readonly dataEnd: number; readonly seq: number },
): number | undefined {
  for (let position = tail.position + 8; position < tail.dataEnd; position += 8) {
    const at = window.load(position, FRAME_HEADER_BYTES);
    if (at < 0) return undefined;
    const header = decodeFrameHeader(window.buffer, window.view, at);
    if (header === undefined || header.salt !== tail.salt || header.offset !== position) continue;
    if (header.durableUpTo >= tail.seq) return position;
  }
  return undefined;
}
