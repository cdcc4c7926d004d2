import { LogCorruptError } from '@holdfast/contract';
import type { FileSystem, LogFile } from './file-system.js';
import { encodeFrameHeader, FRAME_TYPE } from './frame-codec.js';
import { FrameReader } from './frame-reader.js';
import { ReadWindow } from './read-window.js';
import type { ReadSegment } from './segment-chain.js';
import { encodeSegmentHeader } from './segment-header.js';
import { makeWhole, writeFully } from './segment-writer.js';

/** Many small frames are written together. */
const BATCH_BYTES = 256 * 1024;

export interface RewriteTarget {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  /** The salt of the new file. */
  readonly salt: bigint;
  /** The new last frame, with that salt. */
  readonly seal: { readonly bytes: Uint8Array; readonly offset: number };
}

/**
 * Puts a durable copy of a segment's valid frames in its place: what the page cache shows of a file after a failed sync need not be
 * on the disk, and bytes that were cut off must not come back behind new ones. Every offset stays.
 */
export function rewriteSegment(segment: ReadSegment, target: RewriteTarget): void {
  const source = target.fileSystem.open(segment.file, 'read');
  try {
    const fill = (file: LogFile) => copyFrames(segment, source, file, target);
    makeWhole(target.fileSystem, target.directory, segment.file, fill).close();
  } finally {
    source.close();
  }
}

function copyFrames(segment: ReadSegment, source: LogFile, file: LogFile, { salt, seal }: RewriteTarget): void {
  const window = new ReadWindow();
  const reader = new FrameReader(source, window, segment.header);
  const batch = new WriteBatch(file, Math.min(BATCH_BYTES, seal.offset + seal.bytes.length));
  batch.add(encodeSegmentHeader({ ...segment.header, salt }));
  while (reader.position < seal.offset) {
    const frame = reader.next();
    if (frame === undefined || frame.header.type === FRAME_TYPE.seal) break;
    encodeFrameHeader(window.buffer, window.view, frame.at, { ...frame.header, salt });
    batch.add(window.buffer.subarray(frame.at, frame.at + frame.bytes));
  }
  if (batch.end !== seal.offset) {
    throw new LogCorruptError(segment.file, batch.end, 'it read differently a moment ago');
  }
  batch.add(seal.bytes);
  batch.flush();
}

class WriteBatch {
  readonly #file: LogFile;
  readonly #buffer: Uint8Array;
  #length = 0;
  #written = 0;

  constructor(file: LogFile, bytes: number) {
    this.#file = file;
    this.#buffer = new Uint8Array(bytes);
  }

  get end(): number {
    return this.#written + this.#length;
  }

  add(bytes: Uint8Array): void {
    if (this.#length + bytes.length > this.#buffer.length) this.flush();
    if (bytes.length > this.#buffer.length) {
      this.#write(bytes);
      return;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  flush(): void {
    const length = this.#length;
    this.#length = 0;
    this.#write(this.#buffer.subarray(0, length));
  }

  #write(bytes: Uint8Array): void {
    writeFully(this.#file, bytes, this.#written);
    this.#written += bytes.length;
  }
}
