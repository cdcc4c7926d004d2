import type { Random } from '@holdfast/contract';
import type { FileSystem } from './file-system.js';

export interface LogOptions {
  readonly directory: string;
  readonly fileSystem: FileSystem;
  readonly random: Random;
  /** Wall-clock epoch milliseconds, for the segment headers. */
  now(): number;
  monotonicMs(): number;
  /** A segment that has reached this size is followed by the next one. */
  readonly segmentBytes: number;
  /** Kept back on the disk for a time when it is full; none if absent. */
  readonly reserveBytes?: number | undefined;
  /** Told when the disk becomes full and when it has room again, perhaps in the middle of a call. */
  onFullChange?: ((isFull: boolean) => void) | undefined;
  /** To open again what was open before: any other store, or none, is refused, and nothing is made. */
  readonly isFormer?: ((storeId: Uint8Array) => boolean) | undefined;
}
