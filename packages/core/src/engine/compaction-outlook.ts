import type { Clock } from '@holdfast/contract';
import type { SegmentedLog } from '../log/segmented-log.js';
import type { JobTable } from '../state/job-table.js';

interface OutlookParts {
  readonly table: JobTable;
  readonly log: SegmentedLog;
  readonly clock: Clock;
  readonly segmentBytes: number;
}

/** The log shall not be larger than twice the live bytes and so many segments, less what is written while the next segment is started. */
const BOUND_SEGMENTS = 1.6;
/** Where there is no room left, as if there were so much of a segment. */
const ROOM_SEGMENTS_MIN = 0.125;
/** Looked at again when so much of a segment was written. */
const LOOK_SEGMENTS = 1 / 32;
/** What short steps move with ease. */
const EASY_BYTES_A_MS = 12 * 1024;
/** It starts early where it would have to move this much faster than others write: the more the slower they are. */
const START_HASTE_MIN = 2;
const START_HASTE_MAX = 64;

/**
 * Looks ahead: how much has to be moved before much becomes free, and how much others can write until then. The oldest segments can be
 * full of jobs that live long, with all that is over behind them.
 */
export class CompactionOutlook {
  readonly #parts: OutlookParts;
  readonly #emptied: () => number;
  #haste = 0;
  #lookedAtBytes = Number.NEGATIVE_INFINITY;
  #lookedAtSegment = 0;
  #lookedAtMs = 0;
  #startHaste = START_HASTE_MIN;

  /** @param emptied how many of the oldest segments hold nothing to move any more */
  constructor(parts: OutlookParts, emptied: () => number) {
    this.#parts = parts;
    this.#emptied = emptied;
  }

  /** How many times as fast as others write compaction has to move, for the log to stay within its bound. Cheap: asked in each turn. */
  haste(): number {
    const { log, segmentBytes } = this.#parts;
    const oldest = log.sealed.needed(this.#emptied())?.segmentNumber ?? 0;
    if (oldest === this.#lookedAtSegment && log.appendedBytes - this.#lookedAtBytes < segmentBytes * LOOK_SEGMENTS) {
      return this.#haste;
    }
    if (oldest === this.#lookedAtSegment) this.#judgeSpeed();
    this.#lookedAtSegment = oldest;
    this.#lookedAtBytes = log.appendedBytes;
    this.#lookedAtMs = this.#parts.clock.monotonicMs();
    this.#haste = this.#look();
    return this.#haste;
  }

  /** Whether it is time to begin, so that it need not hurry. */
  get mustStart(): boolean {
    return this.haste() > this.#startHaste;
  }

  /** Who writes slowly leaves time. */
  #judgeSpeed(): void {
    const ms = this.#parts.clock.monotonicMs() - this.#lookedAtMs;
    const bytes = this.#parts.log.appendedBytes - this.#lookedAtBytes;
    this.#startHaste = Math.min(Math.max(START_HASTE_MIN, (EASY_BYTES_A_MS * ms) / bytes), START_HASTE_MAX);
  }

  #look(): number {
    const { log, table, segmentBytes } = this.#parts;
    const { kept } = table;
    let moveBytes = 0;
    let firstBytes = 0;
    let deadBytes = 0;
    for (let index = this.#emptied(); deadBytes < segmentBytes; index++) {
      const segment = log.sealed.needed(index);
      if (segment === undefined) break;
      const keptBytes = kept.of(segment.segmentNumber);
      if (moveBytes === 0) firstBytes = keptBytes;
      moveBytes += keptBytes;
      deadBytes += segment.bytes - keptBytes;
    }
    // Until the first segment is free its jobs are there twice.
    const roomBytes = 2 * kept.total + BOUND_SEGMENTS * segmentBytes - log.bytes - firstBytes;
    return moveBytes / Math.max(roomBytes, ROOM_SEGMENTS_MIN * segmentBytes);
  }
}
