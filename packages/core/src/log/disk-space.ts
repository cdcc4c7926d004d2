import type { DiskReserveReport, Random } from '@holdfast/contract';
import { isDiskFull } from './disk-full.js';
import { DiskReserve } from './disk-reserve.js';
import type { FileSystem } from './file-system.js';
import { fileSystemWithReserve } from './reserving-file-system.js';

export interface DiskSpaceOptions {
  readonly fileSystem: FileSystem;
  readonly directory: string;
  readonly random: Random;
  /** What is kept back; 0: nothing, and a full disk is an error as any other. */
  readonly reserveBytes: number;
  now(): number;
  monotonicMs(): number;
  /** The disk has become full, or has room again. */
  onFullChange?: ((isFull: boolean) => void) | undefined;
}

/** Beside the reserve so much of it must be free, for what others write between two looks. */
const FLOOR_PART = 0.25;
/** What the system said is believed for this long. */
const LOOK_AGAIN_MS = 1000;
const LOOK_BYTES_MIN = 64 * 1024;
/** The reserve is begun so long after the open, and filled up in steps with such pauses. */
const FIRST_STEP_MS = 20;
const STEP_PAUSE_MS = 2;
/** While the disk is full. */
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 5000;

/**
 * How much may still be written to the disk of a log (docs/recovery.md, "A full disk"): who wants to add to what is kept asks `admits`; all
 * others write as long as the disk and the reserve last.
 */
export class DiskSpace {
  /** For all writes to the log: it gives up the reserve where the disk is full. */
  readonly fileSystem: FileSystem;
  readonly #options: DiskSpaceOptions;
  readonly #reserve: DiskReserve;
  readonly #floorBytes: number;
  /** What may still be added; Infinity where the system does not say. */
  #roomBytes = 0;
  #freeBytes: number | undefined;
  /** Admitted, and not written yet. */
  #promisedBytes = 0;
  #lookAfterBytes = 0;
  #lookedMs = 0;
  #fullSinceMs: number | undefined;
  #retryMs = RETRY_MS_MIN;
  #stepAtMs: number;

  constructor(options: DiskSpaceOptions) {
    const { fileSystem, directory, random, reserveBytes } = options;
    this.#options = options;
    this.#reserve = new DiskReserve(fileSystem, directory, random, reserveBytes);
    this.#floorBytes = Math.floor(reserveBytes * FLOOR_PART);
    this.fileSystem = fileSystemWithReserve(fileSystem, {
      wrote: (bytes) => this.#wrote(bytes),
      giveUp: () => this.#giveUpReserve(),
    });
    this.#stepAtMs = options.monotonicMs() + FIRST_STEP_MS;
    if (reserveBytes > 0) this.#look();
  }

  get isFull(): boolean {
    return this.#fullSinceMs !== undefined;
  }

  /** Without the reserve; `undefined` where the system does not say. */
  freeBytes(): number | undefined {
    this.#look();
    return this.#freeBytes;
  }

  /** What those may write in all who write at one go, so that some of the reserve is left for others. */
  available(): number {
    this.#look();
    return (this.#freeBytes ?? Number.POSITIVE_INFINITY) + this.#reserve.heldBytes - this.#floorBytes;
  }

  /** Whether so many bytes may be added. They count as written from then on. */
  admits(bytes: number): boolean {
    if (this.#options.reserveBytes === 0) return true;
    if (this.isFull) return false;
    if (bytes > this.#roomBytes || this.#options.monotonicMs() - this.#lookedMs >= LOOK_AGAIN_MS) {
      this.#look();
      if (this.#roomBytes <= 0) this.#setFull();
      if (bytes > this.#roomBytes) return false;
    }
    this.#roomBytes -= bytes;
    this.#promisedBytes += bytes;
    return true;
  }

  /** Monotonic time of the next step; Infinity when there is nothing to do. */
  nextMs(): number {
    const { reserveBytes } = this.#options;
    return this.isFull || this.#reserve.heldBytes < reserveBytes ? this.#stepAtMs : Number.POSITIVE_INFINITY;
  }

  /** Fills up the reserve a little, or looks whether there is room again, if it is time for that. */
  step(): void {
    const nowMs = this.#options.monotonicMs();
    if (nowMs < this.nextMs()) return;
    this.#look();
    const hasRoom = this.#roomBytes >= (this.isFull ? this.#floorBytes : 0);
    const grown = hasRoom ? this.#grow() : 'diskFull';
    if (grown === 'diskFull') this.#setFull();
    if (grown === 'yes' && this.#reserve.heldBytes >= this.#options.reserveBytes) this.#setRoomy();
    this.#stepAtMs = nowMs + (grown === 'yes' ? STEP_PAUSE_MS : this.#retryMs);
    this.#retryMs = grown === 'yes' ? RETRY_MS_MIN : Math.min(2 * this.#retryMs, RETRY_MS_MAX);
  }

  report(): DiskReserveReport | undefined {
    const { reserveBytes } = this.#options;
    if (reserveBytes === 0) return undefined;
    const since = this.#fullSinceMs;
    const { heldBytes } = this.#reserve;
    return { bytes: reserveBytes, heldBytes, ...(since === undefined ? {} : { fullSinceMs: since }) };
  }

  close(): void {
    this.#reserve.close();
  }

  /** `yes`: the reserve is larger than before, or whole. */
  #grow(): 'yes' | 'diskFull' | 'failed' {
    const { reserveBytes } = this.#options;
    try {
      if (this.#reserve.heldBytes < reserveBytes) this.#reserve.grow(reserveBytes);
      return 'yes';
    } catch (error) {
      // What else may be wrong with the disk is told by the next write to the log.
      return isDiskFull(error) ? 'diskFull' : 'failed';
    }
  }

  #giveUpReserve(): boolean {
    if (this.#options.reserveBytes === 0) return false;
    this.#setFull();
    return this.#reserve.giveUp();
  }

  #wrote(bytes: number): void {
    if (this.#options.reserveBytes === 0) return;
    this.#promisedBytes = 0;
    this.#roomBytes -= bytes;
    this.#lookAfterBytes -= bytes;
    if (this.#lookAfterBytes < 0 || this.#options.monotonicMs() - this.#lookedMs >= LOOK_AGAIN_MS) this.#look();
  }

  #look(): void {
    const { fileSystem, directory, reserveBytes, monotonicMs } = this.#options;
    this.#lookedMs = monotonicMs();
    this.#freeBytes = fileSystem.freeBytes(directory);
    const free = this.#freeBytes ?? Number.POSITIVE_INFINITY;
    const kept = reserveBytes - this.#reserve.heldBytes + this.#floorBytes;
    this.#roomBytes = free - kept - this.#promisedBytes;
    this.#lookAfterBytes = Math.max(LOOK_BYTES_MIN, this.#roomBytes / 4);
  }

  #setFull(): void {
    if (this.isFull) return;
    this.#fullSinceMs = this.#options.now();
    this.#retryMs = RETRY_MS_MIN;
    this.#stepAtMs = this.#options.monotonicMs() + this.#retryMs;
    this.#options.onFullChange?.(true);
  }

  #setRoomy(): void {
    if (!this.isFull) return;
    this.#fullSinceMs = undefined;
    this.#options.onFullChange?.(false);
  }
}
