import type { Clock, HoldfastError, Random, Retention } from '@holdfast/contract';
import type { FileSystem } from '../log/file-system.js';
import type { EngineLeaseRef } from './engine-calls.js';

export interface EngineOptions {
  readonly log: {
    readonly directory: string;
    readonly segmentBytes: number;
    /** Kept back on the disk, so that jobs can be ended when it is full; none if absent. */
    readonly reserveBytes?: number;
  };
  readonly fileSystem: FileSystem;
  readonly clock: Clock;
  readonly random: Random;
  readonly retention: Retention;
  /** Of the store that was open here before and is opened again: no other is taken for it, and none is made. */
  readonly formerStoreTag?: string | undefined;
  /** Jobs that one step of compaction writes again at most: for tests, and 0 (no compaction) for measuring. */
  readonly compactionStepJobs?: number;
  /** The disk has become full, or has room again: `full` of the engine says which. Perhaps in the middle of a call. */
  onFullChange?(): void;
  /** An operator's cancel has ended these leases, and that is written. */
  onLeasesCancelled?(leases: readonly EngineLeaseRef[]): void;
  /** Called once when the log failed. Every pending call was answered before, with an unknown outcome if it may be applied. */
  onFatal(error: HoldfastError): void;
  /**
   * Leases have passed their deadline: whoever speaks for the application finds out whether it is alive and then calls
   * `expireLeases`. Asked again at most once a second while nobody does.
   */
  onLeasesDue(): void;
}
