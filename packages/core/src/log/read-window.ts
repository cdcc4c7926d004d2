import type { LogFile } from './file-system.js';

/** Small enough to stay in the processor's cache while it is read and summed. */
const WINDOW_BYTES = 512 * 1024;
const START_BYTES = 16 * 1024;

/**
 * A piece of a file in memory, moved along as it is read. One window serves many files, and memory is bounded by the largest
 * piece asked for.
 */
export class ReadWindow {
  buffer = new Uint8Array(START_BYTES);
  view = new DataView(this.buffer.buffer);
  bytesRead = 0;
  #file: LogFile | undefined;
  #start = 0;
  #length = 0;

  /** Goes to the beginning of a file of this size. */
  use(file: LogFile, size: number): void {
    this.#file = file;
    this.#start = 0;
    this.#length = 0;
    if (size > this.buffer.length && this.buffer.length < WINDOW_BYTES) this.#resize(WINDOW_BYTES);
  }

  /**
   * Brings [position, position + bytes) of the file into `buffer`.
   * @returns where it begins there, until the next call; -1 when the file ends before.
   */
  load(position: number, bytes: number): number {
    const at = position - this.#start;
    if (at >= 0 && at + bytes <= this.#length) return at;
    this.#moveTo(position, bytes);
    return bytes <= this.#length ? 0 : -1;
  }

  #moveTo(position: number, bytes: number): void {
    const at = position - this.#start;
    const kept = at >= 0 && at < this.#length ? this.#length - at : 0;
    const old = this.buffer;
    if (bytes > old.length) this.#resize(Math.ceil(bytes / WINDOW_BYTES) * WINDOW_BYTES);
    if (kept > 0) this.buffer.set(old.subarray(at, at + kept), 0);
    this.#start = position;
    this.#length = kept;
    this.#fill();
  }

  #fill(): void {
    while (this.#length < this.buffer.length) {
      const count = this.#file?.read(this.buffer.subarray(this.#length), this.#start + this.#length) ?? 0;
      if (count === 0) return;
      this.#length += count;
      this.bytesRead += count;
    }
  }

  #resize(bytes: number): void {
    this.buffer = new Uint8Array(bytes);
    this.view = new DataView(this.buffer.buffer);
  }
}

/** `bytes` bytes from `position` on; fewer where the file ends before. */
export function readUpTo(file: Pick<LogFile, 'read'>, position: number, bytes: number): Uint8Array<ArrayBuffer> {
  const buffer = new Uint8Array(bytes);
  let length = 0;
  while (length < bytes) {
    const count = file.read(buffer.subarray(length), position + length);
    if (count === 0) break;
    length += count;
  }
  return buffer.subarray(0, length);
}
