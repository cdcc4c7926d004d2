import type { Random, SegmentReport } from '@holdfast/contract';
import { InvariantError } from '../invariant.js';
import type { FileSystem } from './file-system.js';
import type { LogRecord, LogRecovery, LogReplay } from './log-record.js';

export interface LogOptions {
  readonly directory: string;
  readonly fileSystem: FileSystem;
  readonly random: Random;
  /** Wall-clock epoch milliseconds, for the segment headers. */
  now(): number;
  monotonicMs(): number;
  /** A segment that has reached this size is followed by the next one. */
  readonly segmentBytes: number;
}

/**
 * The log of one directory. Records are reserved and filled in place, then written together as one frame. All calls are
 * synchronous but `sync`.
 *
 * After a failed write or sync the log is poisoned: what is on the disk is unknown until the next open has looked, so every later
 * `reserve`, `write` and `sync` throws StoreFailedError. Reads go on. The owner calls `abandon` and opens again.
 */
export class SegmentedLog {
  /**
   * Takes the lock, reads the whole log, and starts a new segment (docs/log-format.md, "Opening").
   * @throws StoreLockedError, LogCorruptError, LogVersionError, StoreOpenError; the lock is free again then.
   */
  static open(options: LogOptions, replay: LogReplay): SegmentedLog {
    return new SegmentedLog(options, replay);
  }

  readonly storeId: Uint8Array = new Uint8Array(16);
  readonly epoch: number = 0;
  readonly recovery: LogRecovery = { kind: 'new', tookMs: 0, segments: 0, bytesRead: 0, records: 0 };
  /** The next id is at least this: the largest floor of the segment headers. */
  readonly idFloor: number = 1;

  private constructor(_options: LogOptions, _replay: LogReplay) {}

  /**
   * Appends a record to the coming frame. The caller fills all `bodyBytes` from `offset` on before it calls the log again.
   * The location is final.
   */
  reserve(_kind: number, _bodyBytes: number, _flags = 0): LogRecord {
    throw new InvariantError('not built');
  }

  get pendingRecords(): number {
    return 0;
  }

  /** Size of the coming frame. A caller writes before it would pass LIMITS.frameBytesMax. */
  get pendingBytes(): number {
    return 0;
  }

  /**
   * Writes the pending records as one frame; does not sync. Does nothing if nothing is pending.
   * @param nextId every id given out so far is below it
   * @returns the sequence number of the last frame written
   */
  write(_nextId: number): number {
    return 0;
  }

  /** Writes a frame without records, whose sync proves all commits before it. Call it when all is durable. Returns as `write` does. */
  writeIdle(): number {
    return 0;
  }

  get writtenSeq(): number {
    return 0;
  }

  get durableSeq(): number {
    return 0;
  }

  get syncing(): boolean {
    return false;
  }

  /**
   * Makes all written frames durable, beside this thread. One at a time. `done` is called in a later turn. Starts the next segment
   * first when this one is full and no records are pending (that part is synchronous).
   */
  sync(_done: (error: Error | undefined, durableSeq: number) => void): void {}

  /** The same on this thread: faster for one lone commit, but nothing else happens meanwhile. Returns durableSeq. */
  syncNow(): number {
    return 0;
  }

  /** The body of one record, pending, written or old. Checks its length and CRC. @throws LogCorruptError */
  read(_location: number, _recordBytes: number): Uint8Array {
    return new Uint8Array(0);
  }

  /** Kind and body of a record of which only the location is known. @throws LogCorruptError */
  readRecord(_location: number): LogRecord {
    throw new InvariantError('not built');
  }

  segments(): readonly SegmentReport[] {
    return [];
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return 0;
  }

  freeBytes(): number | undefined {
    return undefined;
  }

  /** Makes everything durable, marks the log as closed in order, and gives the lock back. Pending records must be written before. */
  close(): void {}

  /** After a failure: gives files and lock back and writes nothing. May be called twice. */
  abandon(): void {}
}
