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

/** The end of the log: the one segment that frames are added to. */
export class SegmentWriter {
  readonly file: LogFile;
  readonly header: SegmentHeader;
  end = SEGMENT_HEADER_BYTES;

  constructor(file: LogFile, header: SegmentHeader) {
    this.file = file;
    this.header = header;
  }

  append(frame: Uint8Array): void {
    writeFully(this.file, frame, this.end);
    this.end += frame.length;
  }
}

/**
 * Makes the file of a segment. When it returns, header and name are durable; where a file had the name, it is replaced. A crash on
 * the way leaves a temporary file at most.
 */
export function createSegment(fileSystem: FileSystem, directory: string, header: SegmentHeader): SegmentWriter {
  const path = join(directory, segmentName(header.segmentNumber));
  const file = makeWhole(fileSystem, directory, path, (made) => {
    writeFully(made, encodeSegmentHeader(header), 0);
  });
  return new SegmentWriter(file, header);
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
