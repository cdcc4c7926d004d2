import { basename, dirname, join } from 'node:path';
import type { FileSystem, LogFile } from './file-system.js';
import { encodeSegmentHeader, SEGMENT_HEADER_BYTES, type SegmentHeader } from './segment-header.js';
import { segmentName, TEMPORARY_SUFFIX } from './segment-name.js';

/** Writes all of it, also where the disk takes it in parts. */
export function writeFully(file: LogFile, bytes: Uint8Array, position: number): void {
  let done = 0;
  while (done < bytes.length) {
    const count = file.write(done === 0 ? bytes : bytes.subarray(done), position + done);
    if (count === 0) throw new Error('The disk takes no more bytes and gives no reason.');
    done += count;
  }
}

/** Larger frames are few for what they carry: to write twice what they take would cost more than it saves. */
const SMALL_FRAME_BYTES = 16 * 1024;
/** The first room for small frames; as long as no larger one comes between, the next is twice as large. */
const ROOM_BYTES_MIN = 8 * 1024;
const ROOM_BYTES_MAX = 256 * 1024;
/** Room ends where a page of memory ends, so that none is written twice for it. */
const PAGE_BYTES = 4 * 1024;

/**
 * The end of the log: the one segment that frames are added to.
 *
 * Behind small frames zeros are written ahead. A sync of bytes that the file had before is a write to the disk and nothing else, while
 * one of a file that has grown waits for the journal of its file system. Nothing depends on whether the zeros are there.
 */
export class SegmentWriter {
  readonly file: LogFile;
  readonly header: SegmentHeader;
  end = SEGMENT_HEADER_BYTES;
  /** Where the zeros end at the latest, if that is above `end`. */
  #roomEnd = SEGMENT_HEADER_BYTES;
  #roomBytes: number;
  #roomBytesMax: number;

  /** @param segmentBytes how large it may become before the next one is started; 0: nothing is written ahead */
  constructor(file: LogFile, header: SegmentHeader, segmentBytes: number) {
    this.file = file;
    this.header = header;
    this.#roomBytesMax = Math.min(ROOM_BYTES_MAX, Math.floor(segmentBytes / 4));
    this.#roomBytes = Math.min(ROOM_BYTES_MIN, this.#roomBytesMax);
  }

  append(frame: Uint8Array): void {
    writeFully(this.file, frame, this.end);
    this.end += frame.length;
    if (frame.length > SMALL_FRAME_BYTES) this.#roomBytes = Math.min(ROOM_BYTES_MIN, this.#roomBytesMax);
    else if (this.end >= this.#roomEnd) this.#makeRoom();
  }

  /** The frame that ends the file: nothing may stand behind it. The cut is durable when the frame is. */
  appendLast(frame: Uint8Array): void {
    if (this.#roomEnd > this.end) this.#cutRoom();
    writeFully(this.file, frame, this.end);
    this.end += frame.length;
  }

  /** A crash may undo the cut. So the zeros are durable before: what was only being written could be anything. */
  #cutRoom(): void {
    this.file.syncData();
    this.file.truncate(this.end);
  }

  #makeRoom(): void {
    if (this.#roomBytes === 0) return;
    const wanted = Math.ceil((this.end + this.#roomBytes) / PAGE_BYTES) * PAGE_BYTES - this.end;
    // A disk that refuses it may have taken a part.
    this.#roomEnd = this.end + wanted;
    const made = this.file.makeRoom(wanted, this.end);
    // A disk that is nearly full keeps what it has for what must be written.
    if (made < wanted) this.#roomBytesMax = 0;
    this.#roomBytes = Math.min(2 * this.#roomBytes, this.#roomBytesMax);
  }
}

/**
 * Makes the file of a segment. When it returns, header and name are durable; where a file had the name, it is replaced. A crash on
 * the way leaves a temporary file at most.
 *
 * @param segmentBytes as SegmentWriter has it; 0 where no frames are added here
 */
export function createSegment(
  fileSystem: FileSystem,
  directory: string,
  header: SegmentHeader,
  segmentBytes = 0,
): SegmentWriter {
  const path = join(directory, segmentName(header.segmentNumber));
  const file = makeWhole(fileSystem, directory, path, (made) => {
    writeFully(made, encodeSegmentHeader(header), 0);
  });
  return new SegmentWriter(file, header, segmentBytes);
}

/**
 * Makes a file that is seen whole or not at all under its name, and is durable when this returns. Until then it has a temporary name
 * in the log's directory.
 * @returns the file, open both ways
 */
export function makeWhole(
  fileSystem: FileSystem,
  directory: string,
  path: string,
  fill: (file: LogFile) => void,
): LogFile {
  const temporary = join(directory, `${basename(path)}${TEMPORARY_SUFFIX}`);
  const file = fileSystem.open(temporary, 'create');
  try {
    fill(file);
    file.sync();
    fileSystem.rename(temporary, path);
    fileSystem.syncDirectory(dirname(path));
    return file;
  } catch (error) {
    file.close();
    throw error;
  }
}
