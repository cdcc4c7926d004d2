import type { FileSystem } from './file-system.js';
import type { SealedSegment } from './recovery.js';
import { GONE_SUFFIX } from './segment-name.js';

/**
 * The segments that get no more frames, oldest first, and their way out: those whose owner needs nothing in them any more *wait*; the
 * next segment's header *retires* them; then their files are removed. Only the oldest can go.
 */
export class SealedSegments {
  /** Waiting ones first. */
  readonly #kept: SealedSegment[];
  #waiting = 0;
  #waitingBytes = 0;
  #keptBytes = 0;
  /** Retired, their files not removed yet. */
  readonly #retired: SealedSegment[] = [];
  #retiredBytes = 0;
  /** While somebody copies them no file is removed. */
  isHeld = false;

  constructor(segments: readonly SealedSegment[]) {
    this.#kept = [...segments];
    for (const { bytes } of segments) this.#keptBytes += bytes;
  }

  /** All that are not retired. */
  get kept(): readonly SealedSegment[] {
    return this.#kept;
  }

  /** Bytes of all files, also of those that are retired and not removed yet. */
  get bytes(): number {
    return this.#keptBytes + this.#retiredBytes;
  }

  get waiting(): { readonly count: number; readonly bytes: number } {
    return { count: this.#waiting, bytes: this.#waitingBytes };
  }

  /** Those that are still needed. */
  get neededInAll(): { readonly count: number; readonly bytes: number } {
    return { count: this.#kept.length - this.#waiting, bytes: this.#keptBytes - this.#waitingBytes };
  }

  get retired(): number {
    return this.#retired.length;
  }

  get oldestRetired(): SealedSegment | undefined {
    return this.#retired[0];
  }

  /** The first that does not wait. */
  get oldestNeeded(): SealedSegment | undefined {
    return this.needed(0);
  }

  /** The oldest one is number 0. */
  needed(index: number): SealedSegment | undefined {
    return this.#kept[this.#waiting + index];
  }

  add(segment: SealedSegment): void {
    this.#kept.push(segment);
    this.#keptBytes += segment.bytes;
  }

  /** The oldest one that does not wait is not needed any more. */
  letGo(): void {
    const segment = this.#kept[this.#waiting];
    if (segment === undefined) return;
    this.#waiting++;
    this.#waitingBytes += segment.bytes;
  }

  /** A header that retires those that wait is durable. */
  retireWaiting(): void {
    const gone = this.#kept.splice(0, this.#waiting);
    this.#retired.push(...gone);
    this.#keptBytes -= this.#waitingBytes;
    this.#retiredBytes += this.#waitingBytes;
    this.#waiting = 0;
    this.#waitingBytes = 0;
  }

  /**
   * Takes the oldest retired segment out of the log by giving its file another name; the file itself goes in the background.
   * @returns it; throws as the file system does, and keeps it then
   */
  removeOldest(fileSystem: FileSystem): SealedSegment | undefined {
    const segment = this.#retired[0];
    if (segment === undefined) return undefined;
    const gone = `${segment.file}${GONE_SUFFIX}`;
    fileSystem.rename(segment.file, gone);
    fileSystem.removeInBackground(gone);
    this.#retired.shift();
    this.#retiredBytes -= segment.bytes;
    return segment;
  }
}
