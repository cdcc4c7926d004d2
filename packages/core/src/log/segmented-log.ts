import { join } from 'node:path';
import type { SegmentReport, StoreFailedError } from '@holdfast/contract';
import { invariant } from '../invariant.js';
import type { DiskSpace } from './disk-space.js';
import type { FileLock } from './file-system.js';
import { FrameBuffer } from './frame-buffer.js';
import { encodeFrameHeader, FRAME_HEADER_BYTES, FRAME_TYPE } from './frame-codec.js';
import { headerApart, LogBackup, prepareTarget } from './log-backup.js';
import type { LogOptions } from './log-options.js';
import type { LogRecord, LogRecovery, LogReplay } from './log-record.js';
import { type OpenedLog, openLog } from './open-sequence.js';
import { Poison } from './poison.js';
import { Presence } from './presence.js';
import { ReadAhead } from './read-ahead.js';
import { checkedRecord, RecordReader, readRecord } from './record-reader.js';
import { SealedSegments } from './sealed-segments.js';
import { locationOffset, locationSegment, makeLocation, OFFSETS_END, segmentName } from './segment-name.js';
import { startNextSegment } from './segment-rotation.js';
import type { SegmentWriter } from './segment-writer.js';

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
    return new SegmentedLog(options, openLog(options, replay));
  }

  readonly storeId: Uint8Array;
  readonly epoch: number;
  readonly recovery: LogRecovery;
  /** The next id is at least this: the largest floor of the segment headers. */
  readonly idFloor: number;
  /** Who adds to what is kept, and does not only change it, asks it first. */
  readonly space: DiskSpace;
  readonly #options: LogOptions;
  readonly #lock: FileLock;
  readonly #presence: Presence;
  readonly #poison: Poison;
  readonly #reader: RecordReader;
  readonly #ahead = new ReadAhead();
  /** Which segments are on their way out: the owner says so with `letGo`. */
  readonly sealed: SealedSegments;
  readonly #frame = new FrameBuffer();
  #active: SegmentWriter;
  #lastPath = { segmentNumber: 0, path: '' };
  #nextId: number;
  #rankFloor: number;
  #rotationWanted = false;
  #writtenSeq: number;
  #durableSeq: number;
  #appendedBytes = 0;
  #lastFrameIsIdle = false;
  #syncing = false;
  #ended = false;

  private constructor(options: LogOptions, { lock, space, recovered, recovery }: OpenedLog) {
    const { header } = recovered.active;
    this.#options = options;
    this.space = space;
    this.#lock = lock;
    this.#presence = new Presence(options.directory, lock, options.monotonicMs);
    this.#poison = new Poison(options.directory);
    this.#reader = new RecordReader(space.fileSystem);
    this.sealed = new SealedSegments(recovered.sealed);
    this.#active = recovered.active;
    this.storeId = header.storeId;
    this.epoch = header.epoch;
    this.idFloor = header.idFloor;
    this.recovery = recovery;
    this.#nextId = header.idFloor;
    this.#rankFloor = header.rankFloor;
    this.#writtenSeq = header.firstSeq - 1;
    this.#durableSeq = this.#writtenSeq;
  }

  /**
   * Appends a record to the coming frame. The caller fills all `bodyBytes` from `offset` on before it calls the log again.
   * The location is final.
   */
  reserve(kind: number, bodyBytes: number, flags = 0): LogRecord {
    this.#requireUsable();
    return this.#frame.reserve(kind, flags, bodyBytes, this.#endLocation());
  }

  /** All records so far lie before it, and all to come at it or behind. */
  get nextLocation(): number {
    return this.#endLocation() + this.#frame.length;
  }

  get pendingRecords(): number {
    return this.#frame.records;
  }

  /** Size of the coming frame. A caller writes before it would pass LIMITS.frameBytesMax. */
  get pendingBytes(): number {
    return this.#frame.length;
  }

  /**
   * Writes the pending records as one frame; does not sync. Does nothing if nothing is pending.
   * @param nextId every id given out so far is below it
   * @param rankFloor kept in the headers of later segments: LogReplay.segment
   * @returns the sequence number of the last frame written
   */
  write(nextId: number, rankFloor = 0): number {
    this.#requireUsable();
    this.#rankFloor = Math.max(this.#rankFloor, rankFloor);
    this.#nextId = Math.max(this.#nextId, nextId);
    if (this.#frame.records === 0) return this.#writtenSeq;
    this.#requirePresence();
    this.#append(this.#frame.finish(this.#nextPlace()));
    this.#frame.clear();
    this.#lastFrameIsIdle = false;
    return this.#writtenSeq;
  }

  /**
   * Writes a frame without records, whose sync proves all commits before it. Call it when all is durable. Does nothing where the last
   * frame is one already. Returns as `write` does.
   */
  writeIdle(): number {
    this.#requireUsable();
    if (!this.#lastFrameIsIdle) this.#appendEmpty(FRAME_TYPE.idle);
    this.#lastFrameIsIdle = true;
    return this.#writtenSeq;
  }

  get writtenSeq(): number {
    return this.#writtenSeq;
  }

  get durableSeq(): number {
    return this.#durableSeq;
  }

  /** Bytes of all frames that were written since the open, and of the coming one. */
  get appendedBytes(): number {
    return this.#appendedBytes + this.#frame.length;
  }

  get syncing(): boolean {
    return this.#syncing;
  }

  /**
   * Makes all written frames durable, beside this thread. One at a time. `done` is called in a later turn or by `tellSyncs`, with how long the disk took where
   * that is known. Starts the next segment first when this one is full and no records are pending (that part is synchronous).
   */
  sync(done: (error: StoreFailedError | undefined, durableSeq: number, diskMs: number | undefined) => void): void {
    this.#requireUsable();
    invariant(!this.#syncing, 'one sync is under way at a time');
    this.#requirePresence();
    this.#rotateWhenFull();
    const { file } = this.#active;
    const upTo = this.#writtenSeq;
    this.#syncing = true;
    this.#poison.guard('start to sync', () => {
      file.syncDataInBackground((error, tookMs) => {
        this.#syncing = false;
        if (error !== undefined) this.#poison.failed('sync', error);
        if (!this.failed) this.#durableSeq = Math.max(this.#durableSeq, upTo);
        // After an orderly close all is durable, whatever this sync of a closed file says.
        done(this.#poison.failure, this.#durableSeq, tookMs);
      });
    });
  }

  /**
   * The same on this thread: a lone commit takes 0.20 ms instead of 0.25 ms at the median (test/log/measure-log.mjs; ext4 on virtio, 2
   * cores, Node 20), but nothing else happens meanwhile, which on a slow disk is a long time. Returns durableSeq.
   */
  syncNow(): number {
    this.#requireUsable();
    if (!this.#syncing) this.#rotateWhenFull();
    this.#syncActive();
    return this.#durableSeq;
  }

  /** The body of one record, pending, written or old. Checks its length and CRC. @throws LogCorruptError */
  read(location: number, recordBytes: number): Uint8Array {
    const { buffer, offset, bodyBytes } = this.#find(location, recordBytes);
    return buffer.subarray(offset, offset + bodyBytes);
  }

  /** A record of which only the location is known. It stays valid. @throws LogCorruptError */
  readRecord(location: number, recordBytes?: number): LogRecord {
    return this.#find(location, recordBytes);
  }

  /** The next sync starts a segment also where this one is not full, so that those that wait are retired. */
  rotateSoon(): void {
    this.#rotationWanted = true;
  }

  /**
   * A copy of all sealed segments, in which everything is that was written before the last rotation. Until `endBackup` no file is removed.
   * @throws Error that says what is wrong with the target
   */
  beginBackup(target: string): LogBackup {
    const { directory, fileSystem, random, now } = this.#options;
    prepareTarget(fileSystem, directory, target);
    const { kept } = this.sealed;
    this.sealed.isHeld = true;
    const segments = kept.map(({ file, bytes }) => ({ file, bytes, mayLink: true }));
    const minSegment = kept[0]?.segmentNumber ?? this.activeSegment;
    const next = headerApart({ ...this.#active.header, createdAtMs: now() }, minSegment);
    return new LogBackup({ segments, next }, { source: fileSystem, fileSystem, target, random });
  }

  endBackup(): void {
    this.sealed.isHeld = false;
  }

  /** Set by the first failure: nothing is written any more. */
  get failed(): boolean {
    return this.#poison.failure !== undefined;
  }

  get directory(): string {
    return this.#options.directory;
  }

  get activeSegment(): number {
    return this.#active.header.segmentNumber;
  }

  get rotationWanted(): boolean {
    return this.#rotationWanted;
  }

  /**
   * Removes the oldest retired file. A file that cannot be removed stays: the error passes through and the log goes on. Nothing is synced: a
   * name that comes back after a power cut is below `minSegment`.
   */
  removeRetired(): void {
    this.#requireUsable();
    const path = this.sealed.oldestRetired?.file;
    if (path === undefined) return;
    this.#reader.forget(path);
    this.sealed.removeOldest(this.space.fileSystem);
  }

  segments(): readonly SegmentReport[] {
    const active = this.#active.header;
    const last = {
      segmentNumber: active.segmentNumber,
      file: this.#path(active.segmentNumber),
      bytes: this.#active.end,
      firstSeq: active.firstSeq,
      lastSeq: this.#writtenSeq,
    };
    return [...this.sealed.kept, last].map((segment) => ({
      number: segment.segmentNumber,
      file: segment.file,
      bytes: segment.bytes,
      firstSeq: String(segment.firstSeq),
      lastSeq: String(segment.lastSeq),
      state: segment === last ? 'active' : 'sealed',
    }));
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.sealed.bytes + this.#active.end;
  }

  /**
   * Makes everything durable, marks the log as closed in order, and gives the lock back. Pending records must be written before.
   * @throws StoreFailedError; files and lock are given back all the same
   */
  close(): void {
    if (this.#ended) return;
    try {
      this.#requireUsable();
      this.#requirePresence();
      if (this.#durableSeq < this.#writtenSeq) this.#syncActive();
      this.#appendEmpty(FRAME_TYPE.close);
      this.#syncActive();
    } finally {
      this.#release();
    }
  }

  /** After a failure: gives files and lock back and writes nothing. May be called twice. */
  abandon(): void {
    if (this.#ended) return;
    this.#poison.giveUp();
    this.#release();
  }

  #find(location: number, recordBytes: number | undefined): LogRecord {
    const segmentNumber = locationSegment(location);
    const offset = locationOffset(location);
    const path = this.#path(segmentNumber);
    if (segmentNumber !== this.#active.header.segmentNumber) {
      return readRecord(this.#reader.file(path), { path, offset, location }, recordBytes, this.#ahead);
    }
    const { file, end: writtenEnd } = this.#active;
    const place = { path, offset, location, writtenEnd };
    if (offset < writtenEnd) return readRecord(file, place, recordBytes, this.#ahead);
    const at = offset - writtenEnd;
    const pending = this.#frame.pending().slice(at, recordBytes === undefined ? undefined : at + recordBytes);
    return checkedRecord(pending, recordBytes, place);
  }

  #append(frame: Uint8Array, isLast = false): void {
    this.#poison.guard('write', () => {
      if (this.#active.end + frame.length > OFFSETS_END) throw new Error('the segment is full while its sync hangs');
      if (isLast) this.#active.appendLast(frame);
      else this.#active.append(frame);
    });
    this.#writtenSeq++;
    this.#appendedBytes += frame.length;
  }

  #appendEmpty(type: typeof FRAME_TYPE.close | typeof FRAME_TYPE.idle): void {
    // It would stand where the pending records were told that they will be.
    invariant(this.#frame.records === 0, 'pending records are written before');
    const bytes = new Uint8Array(FRAME_HEADER_BYTES);
    const header = { ...this.#nextPlace(), type, recordsBytes: 0, recordCount: 0, recordsCrc: 0 };
    encodeFrameHeader(bytes, new DataView(bytes.buffer), 0, header);
    this.#append(bytes, type === FRAME_TYPE.close);
  }

  #syncActive(): void {
    const upTo = this.#writtenSeq;
    this.#poison.guard('sync', () => this.#active.file.syncData());
    this.#durableSeq = upTo;
  }

  #rotateWhenFull(): void {
    const isFull = this.#active.end >= this.#options.segmentBytes;
    if (!(isFull || this.#rotationWanted) || this.#frame.records > 0) return;
    this.#poison.guard('start the next segment', () => this.#rotate());
  }

  #rotate(): void {
    const { directory, random, now } = this.#options;
    const { active, sealed } = startNextSegment(this.#active, {
      fileSystem: this.space.fileSystem,
      directory,
      random,
      nowMs: now(),
      place: this.#nextPlace(),
      idFloor: this.#nextId,
      rankFloor: this.#rankFloor,
      minSegment: this.sealed.oldestNeeded?.segmentNumber ?? this.activeSegment,
      segmentBytes: this.#options.segmentBytes,
    });
    this.sealed.add(sealed);
    this.sealed.retireWaiting();
    this.#rotationWanted = false;
    this.#active = active;
    this.#writtenSeq = sealed.lastSeq;
    this.#durableSeq = sealed.lastSeq;
  }

  #nextPlace() {
    const { end: offset, header } = this.#active;
    return { salt: header.salt, seq: this.#writtenSeq + 1, durableUpTo: this.#durableSeq, offset };
  }

  #endLocation(): number {
    return makeLocation(this.#active.header.segmentNumber, this.#active.end);
  }

  /** Asked for with each record that is read: of the same segment mostly. */
  #path(segmentNumber: number): string {
    if (segmentNumber === this.#lastPath.segmentNumber) return this.#lastPath.path;
    const path = join(this.#options.directory, segmentName(segmentNumber));
    this.#lastPath = { segmentNumber, path };
    return path;
  }

  #requireUsable(): void {
    invariant(!this.#ended || this.failed, 'a closed log is not used');
    if (this.#poison.failure !== undefined) throw this.#poison.failure;
  }

  #requirePresence(): void {
    this.#poison.guard('go on', () => this.#presence.check(this.#active));
  }

  #release(): void {
    this.#ended = true;
    this.#reader.close();
    this.#active.file.close();
    this.space.close();
    this.#lock.unlock();
  }
}
