import { join } from 'node:path';
import { LOCK_NAME } from './directory-lock.js';
import type { FileLock } from './file-system.js';
import { segmentName } from './segment-name.js';
import type { SegmentWriter } from './segment-writer.js';

/** What was answered as durable in a file that nobody can find again is at most so old when it is noticed. */
const LOOK_AGAIN_MS = 100;

/**
 * Whether the lock and the end of the log are still what their names lead to. A file that was removed, renamed or replaced can be
 * written and synced as before, to the benefit of nobody; and where the lock's name leads elsewhere, another process could take it.
 */
export class Presence {
  readonly #directory: string;
  readonly #lock: FileLock;
  readonly #monotonicMs: () => number;
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(directory: string, lock: FileLock, monotonicMs: () => number) {
    this.#directory = directory;
    this.#lock = lock;
    this.#monotonicMs = monotonicMs;
  }

  /** Looks if the last look is not fresh any more. @throws Error that says what is gone */
  check(active: SegmentWriter): void {
    const nowMs = this.#monotonicMs();
    if (nowMs - this.#lookedMs < LOOK_AGAIN_MS) return;
    this.#lookedMs = nowMs;
    const lockPath = join(this.#directory, LOCK_NAME);
    if (!this.#lock.isAt(lockPath)) throw goneError(lockPath);
    const path = join(this.#directory, segmentName(active.header.segmentNumber));
    if (!active.file.isAt(path)) throw goneError(path);
  }
}

function goneError(path: string): Error {
  return new Error(
    `${path} is not the file any more that this store opened. It was removed, moved or replaced while the store was open, so what ` +
      'is written now would be lost. Put the directory back as it was',
  );
}
