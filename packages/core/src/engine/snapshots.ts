import { type Clock, type HoldfastError, SnapshotFailedError, type SnapshotReport } from '@holdfast/contract';
import type { LogBackup } from '../log/log-backup.js';
import type { SegmentedLog } from '../log/segmented-log.js';
import type { Call, Commits } from './commits.js';
import type { Done } from './engine-calls.js';

export interface SnapshotParts {
  readonly log: SegmentedLog;
  readonly commits: Commits;
  readonly clock: Clock;
}

class SnapshotCall implements Call {
  readonly target: string;
  /** The segment in which everything is that was answered before the call. */
  readonly segmentNumber: number;
  backup: LogBackup | undefined;
  error: HoldfastError | undefined;
  readonly #done: Done<SnapshotReport>;

  constructor(target: string, segmentNumber: number, done: Done<SnapshotReport>) {
    this.target = target;
    this.segmentNumber = segmentNumber;
    this.#done = done;
  }

  finish(error: HoldfastError | undefined): void {
    const failure = error ?? this.error;
    this.#done(failure, failure === undefined ? this.backup?.report : undefined);
  }
}

/**
 * Backups of the log while it is written to, one after the other. The segment of the moment is sealed first, so that a
 * backup is made of segments that nobody changes any more; none of their files is removed meanwhile.
 */
export class Snapshots {
  readonly #parts: SnapshotParts;
  readonly #pending: SnapshotCall[] = [];

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  start(target: string, done: Done<SnapshotReport>): void {
    this.#pending.push(new SnapshotCall(target, this.#parts.log.activeSegment, done));
    this.#sealFirst();
  }

  /** Monotonic time of the next step: now, or Infinity where there is none, or the disk has to seal the segment first. */
  nextMs(): number {
    return this.#isSealed() ? this.#parts.clock.monotonicMs() : Number.POSITIVE_INFINITY;
  }

  /** Copies a piece. What the disk of the copy says ends the snapshot, not the store. */
  step(): void {
    const call = this.#pending[0];
    if (call === undefined || !this.#isSealed()) return;
    try {
      call.backup ??= this.#parts.log.beginBackup(call.target);
      if (call.backup.step()) return;
    } catch (error) {
      call.backup?.undo();
      call.error = failureOf(call.target, error);
    }
    this.#end();
    this.#parts.commits.answerWritten(call);
  }

  /** Gives up all of them, and the calls to the caller. */
  takeAll(): Call[] {
    this.#pending[0]?.backup?.undo();
    this.#parts.log.endBackup();
    return this.#pending.splice(0);
  }

  #end(): void {
    this.#parts.log.endBackup();
    this.#pending.shift();
    this.#sealFirst();
  }

  #isSealed(): boolean {
    const call = this.#pending[0];
    return call !== undefined && this.#parts.log.activeSegment > call.segmentNumber;
  }

  #sealFirst(): void {
    if (this.#pending.length === 0 || this.#isSealed()) return;
    this.#parts.log.rotateSoon();
    this.#parts.commits.syncSoon();
  }
}

function failureOf(target: string, cause: unknown): SnapshotFailedError {
  return new SnapshotFailedError(target, cause instanceof Error ? cause.message : String(cause), { cause });
}
