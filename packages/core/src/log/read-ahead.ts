import type { LogFile } from './file-system.js';
import { readUpTo } from './read-window.js';

/** What is read at once, and how far ahead the next record may lie to count as following the last. */
const PIECE_BYTES = 256 * 1024;

/**
 * Reads records that lie behind each other in pieces, because a call for each costs more than all that is done with it: a long
 * backlog that is not in memory any more is worked off in the order of the log. Records here and there are read alone.
 *
 * Only for bytes that do not change any more. A piece is not used again for another: views into it stay valid.
 */
export class ReadAhead {
  #file: LogFile | undefined;
  #start = 0;
  #piece = new Uint8Array(0);
  /** The end of the record that was read last. */
  #end = 0;

  /**
   * `bytes` bytes from `offset` on; fewer where the file ends before.
   *
   * @param writtenEnd where the bytes end that do not change any more: room that was made behind them must not be remembered as zeros
   */
  read(file: LogFile, offset: number, bytes: number, writtenEnd = Number.POSITIVE_INFINITY): Uint8Array<ArrayBuffer> {
    if (file === this.#file) {
      const at = offset - this.#start;
      const isHeld = at >= 0 && at + bytes <= this.#piece.length;
      const follows = offset >= this.#end && offset - this.#end <= PIECE_BYTES;
      this.#end = offset + bytes;
      if (isHeld) return this.#piece.subarray(at, at + bytes);
      if (follows) return this.#load(file, offset, bytes, writtenEnd);
    }
    this.#file = file;
    this.#end = offset + bytes;
    this.#piece = new Uint8Array(0);
    return readUpTo(file, offset, bytes);
  }

  #load(file: LogFile, offset: number, bytes: number, writtenEnd: number): Uint8Array<ArrayBuffer> {
    this.#piece = readUpTo(file, offset, Math.max(bytes, Math.min(PIECE_BYTES, writtenEnd - offset)));
    this.#start = offset;
    return this.#piece.subarray(0, bytes);
  }
}
