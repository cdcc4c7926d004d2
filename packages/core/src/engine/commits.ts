import type { Clock, HoldfastError } from '@holdfast/contract';
import { invariant } from '../invariant.js';
import { LIMITS } from '../limits.js';
import type { LogRecord } from '../log/log-record.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import { DiskPace } from './disk-pace.js';
import type { Metrics } from './metrics.js';

/** A call that waits for its answer. */
export interface Call {
  finish(error: HoldfastError | undefined): void;
}

/** A call that is answered when its records are durable. */
export interface DurableCall extends Call {
  /** The commit that carries its records, once that is written. */
  seq: number;
  /** Bytes of its records. */
  readonly bytes: number;
  /** Its records have become durable; `finish` follows. */
  durable(): void;
}

export interface CommitOptions {
  readonly log: SegmentedLog;
  readonly clock: Clock;
  readonly metrics: Metrics;
  nextId(): number;
  /** For the headers of later segments. */
  rankFloorMs(): number;
  /** Somebody holds a job, whose ack would wait while this thread does. */
  anyLeased(): boolean;
  /** A sync ended. Without an error `becameDurable` must follow. */
  synced(error: Error | undefined, durableSeq: number, tookMs: number): void;
}

/** An enqueue that would put more bytes than this before the disk waits in memory of its caller instead. */
const UNDURABLE_BYTES_MAX = 32 * 1024 * 1024;

/** A turn that decides more than this is written in several frames; only a call that is larger alone makes a larger one. */
const FRAME_BYTES_WANTED = 8 * 1024 * 1024;

/** Of what waits for the disk, where this thread may do a sync itself: more would take longer than the syncs that showed how fast the disk is. */
const SYNC_HERE_BYTES_MAX = 256 * 1024;

/** For what a frame holds beside its records' bodies. */
const FRAME_BYTES_SPARE = 4096;

invariant(
  LIMITS.enqueueBytesMax * 2 + FRAME_BYTES_SPARE < LIMITS.frameBytesMax,
  'the largest call fits into a frame of its own',
);

/**
 * The way to the disk: gathers the records of a turn into a frame, keeps the calls that wait for it, and knows when a
 * sync is wanted. Errors of the log pass through; the engine stops at the first.
 */
export class Commits {
  readonly #log: SegmentedLog;
  readonly #clock: Clock;
  readonly #options: CommitOptions;
  readonly #diskPace = new DiskPace();
  /** Answered once all that was decided so far is written. */
  #afterWrite: Call[] = [];
  /** Durable calls whose records are in the coming frame. */
  #framed: DurableCall[] = [];
  /** Written, not durable yet, in order; the ones before `#undurableFrom` are done with. */
  #undurable: DurableCall[] = [];
  #undurableFrom = 0;
  #undurableBytes = 0;
  #syncWanted = false;
  /** Monotonic time of the first write that no sync has covered or begun to cover. */
  #unsyncedSinceMs: number | undefined;
  #lastCommitMs = 0;
  /** The last commit is followed by an IDLE frame, or there was none in this run. */
  #proven = true;

  constructor(options: CommitOptions) {
    this.#options = options;
    this.#log = options.log;
    this.#clock = options.clock;
  }

  /** Makes room for the records of one call in one frame. */
  room(bytes: number): void {
    if (this.#log.pendingRecords > 0 && this.#log.pendingBytes + bytes > FRAME_BYTES_WANTED) this.write();
  }

  /** A record of the coming frame, to be filled at once. */
  reserve(kind: number, bodyBytes: number): LogRecord {
    return this.#log.reserve(kind, bodyBytes);
  }

  /** The call is answered when everything decided so far is written. */
  answerWritten(call: Call): void {
    this.#afterWrite.push(call);
  }

  answerDurable(call: DurableCall): void {
    this.#framed.push(call);
    this.#undurableBytes += call.bytes;
  }

  /** The call is answered when everything decided so far is durable, whatever part of it was written before. */
  answerAllDurable(call: DurableCall): void {
    const log = this.#log;
    if (log.pendingRecords > 0) {
      this.answerDurable(call);
    } else if (log.durableSeq === log.writtenSeq && !this.hasUndurableCalls) {
      this.answerWritten(call);
    } else {
      // Also where a new segment has made all of it durable, but those who waited before were not told yet.
      call.seq = log.writtenSeq;
      this.#undurable.push(call);
      this.#undurableBytes += call.bytes;
    }
  }

  /** Too much waits for the disk already. */
  get crowded(): boolean {
    return this.#undurableBytes > UNDURABLE_BYTES_MAX;
  }

  get hasUndurableCalls(): boolean {
    return this.#framed.length > 0 || this.#undurableFrom < this.#undurable.length;
  }

  /** Puts what is pending into a frame. */
  write(): void {
    const records = this.#log.pendingRecords;
    if (records === 0) return;
    const bytes = this.#log.pendingBytes;
    const seq = this.#log.write(this.#options.nextId(), this.#options.rankFloorMs());
    const nowMs = this.#clock.monotonicMs();
    this.#lastCommitMs = nowMs;
    this.#unsyncedSinceMs ??= nowMs;
    this.#proven = false;
    this.#options.metrics.committed(this.#clock.now(), records, bytes);
    for (const call of this.#framed) {
      call.seq = seq;
      this.#undurable.push(call);
    }
    this.#framed = [];
  }

  /** Writes and syncs before it returns: for the first commit of an open. */
  commitNow(): void {
    this.write();
    this.#log.syncNow();
    this.#unsyncedSinceMs = undefined;
  }

  /** A sync at the end of this turn, or of the one that is under way, though no call waits for it. */
  syncSoon(): void {
    this.#syncWanted = true;
  }

  /** Starts a sync if somebody waits for one or the oldest unsynced write has waited long enough; proves an idle log. */
  syncWhereWanted(): void {
    if (this.#log.syncing) return;
    const nowMs = this.#clock.monotonicMs();
    if (this.#undurableFrom < this.#undurable.length || nowMs >= this.#lazySyncMs() || this.#syncWanted) {
      this.#sync(nowMs);
    } else if (nowMs >= this.#idleFrameMs()) {
      this.#proven = true;
      this.#log.writeIdle();
      this.#sync(nowMs);
    }
  }

  /** Monotonic time of the next sync or IDLE frame that nobody else will start; Infinity without one. */
  nextMs(): number {
    if (this.#log.syncing) return Number.POSITIVE_INFINITY;
    return Math.min(this.#lazySyncMs(), this.#idleFrameMs());
  }

  /** A sync has ended well: the durable calls that it covers are answered at the end of this turn. */
  becameDurable(durableSeq: number, tookMs: number): void {
    this.#options.metrics.synced(this.#clock.now(), tookMs);
    const calls = this.#undurable;
    let index = this.#undurableFrom;
    for (; index < calls.length && calls[index]!.seq <= durableSeq; index++) {
      const call = calls[index]!;
      this.#undurableBytes -= call.bytes;
      call.durable();
      this.#afterWrite.push(call);
    }
    // Under a steady load there are always some that wait, so those that are done with are not kept until there are none.
    const isMostlyDone = 2 * index >= calls.length;
    if (isMostlyDone) this.#undurable = calls.slice(index);
    this.#undurableFrom = isMostlyDone ? 0 : index;
  }

  /** The calls to be answered now; they are no longer pending. */
  takeWritten(): Call[] {
    const calls = this.#afterWrite;
    if (calls.length > 0) this.#afterWrite = [];
    return calls;
  }

  /** All calls that are still waiting: for a store that has failed. */
  takeAll(): Call[] {
    const calls = [...this.#afterWrite, ...this.#undurable.slice(this.#undurableFrom), ...this.#framed];
    this.#afterWrite = [];
    this.#framed = [];
    this.#undurable = [];
    this.#undurableFrom = 0;
    return calls;
  }

  #sync(startedMs: number): void {
    this.#syncWanted = false;
    this.#unsyncedSinceMs = undefined;
    const ended = (error: Error | undefined, durableSeq: number, diskMs?: number): void => {
      const tookMs = this.#clock.monotonicMs() - startedMs;
      this.#diskPace.took(diskMs ?? tookMs);
      this.#options.synced(error, durableSeq, tookMs);
    };
    if (this.#maySyncHere()) ended(undefined, this.#log.syncNow());
    else this.#log.sync(ended);
  }

  /**
   * A commit of moderate size on a fast disk: the way to the other thread and back would take longer than the sync. Nobody is held up where no
   * job is leased: no ack can come, and a claim waits for this commit at most as long as it would have waited for that way.
   */
  #maySyncHere(): boolean {
    const bytes = this.#undurableBytes;
    if (bytes === 0 || bytes > SYNC_HERE_BYTES_MAX) return false;
    return this.#diskPace.isFast && !this.#options.anyLeased();
  }

  #lazySyncMs(): number {
    return this.#unsyncedSinceMs === undefined ? Number.POSITIVE_INFINITY : this.#unsyncedSinceMs + LIMITS.lazySyncMs;
  }

  #idleFrameMs(): number {
    const idle = !this.#proven && this.#log.durableSeq === this.#log.writtenSeq && this.#log.pendingRecords === 0;
    return idle ? this.#lastCommitMs + LIMITS.idleFrameMs : Number.POSITIVE_INFINITY;
  }
}
