import { join } from 'node:path';
import type { FileSystem, LogFile } from './file-system.js';
import type { TornTail } from './log-record.js';
import type { ReadSegment } from './segment-chain.js';
import { makeWhole, writeFully } from './segment-writer.js';

const FOLDER = 'quarantine';
const PIECE_BYTES = 1024 * 1024;

/**
 * Copies the bytes behind the last valid frame to a file for people, before they are cut off. Its name holds the epoch of the open
 * that cut, so a recovery that is cut off itself overwrites nothing.
 * @returns what was kept; `undefined` when nothing lies behind the last valid frame
 */
export function keepCutBytes(
  tail: ReadSegment,
  target: { readonly fileSystem: FileSystem; readonly directory: string; readonly epoch: number },
): TornTail | undefined {
  const bytes = tail.dataEnd - tail.end;
  if (bytes === 0) return undefined;
  const folder = join(target.directory, FOLDER);
  target.fileSystem.createDirectory(folder);
  const keptAs = join(folder, `${tail.name}-from-${tail.end}-epoch-${target.epoch}`);
  const source = target.fileSystem.open(tail.file, 'read');
  try {
    makeWhole(target.fileSystem, target.directory, keptAs, (kept) => copyFrom(source, tail, kept)).close();
  } finally {
    source.close();
  }
  return { file: tail.file, offset: tail.end, bytes, keptAs };
}

function copyFrom(source: LogFile, { end: start, dataEnd }: ReadSegment, target: LogFile): void {
  const piece = new Uint8Array(Math.min(PIECE_BYTES, dataEnd - start));
  let done = 0;
  while (start + done < dataEnd) {
    const count = source.read(piece.subarray(0, dataEnd - start - done), start + done);
    if (count === 0) return;
    writeFully(target, piece.subarray(0, count), done);
    done += count;
  }
}
