import type { LogFile } from './file-system.js';
import { readUpTo } from './read-window.js';

const FIRST_PIECE_BYTES = 4 * 1024;
const PIECE_BYTES = 64 * 1024;

/** Where the last byte of a file ends that is not zero; 0 when there is none. Reads from its end backwards. */
export function findDataEnd(file: Pick<LogFile, 'read'>, size: number): number {
  let end = size;
  for (let most = FIRST_PIECE_BYTES; end > 0; most = PIECE_BYTES) {
    const start = Math.max(0, end - most);
    const found = readUpTo(file, start, end - start).findLastIndex((byte) => byte !== 0);
    if (found >= 0) return start + found + 1;
    end = start;
  }
  return 0;
}
