/**
 * One record as it lies in a larger buffer: its body is `buffer` (the same bytes: `view`) from `offset` on, `bodyBytes`
 * long. The log hands out one such object again and again, so that a record costs no allocation: it is valid only until
 * the next call of the log (replay: only during the call).
 */
export interface LogRecord {
  readonly kind: number;
  readonly flags: number;
  readonly buffer: Uint8Array;
  readonly view: DataView;
  readonly offset: number;
  readonly bodyBytes: number;
  /** Segment number × 2^32 + offset of the record's header in its file. Stays the same for ever. */
  readonly location: number;
  /** Header and body. */
  readonly recordBytes: number;
}

/** What reads single records by where they lie. */
export interface RecordSource {
  /** @throws LogCorruptError */
  readRecord(location: number, recordBytes?: number): LogRecord;
}

/** Record flag: a reader that does not know the kind may skip the record. */
export const SKIPPABLE = 1;

/** What an open tells its caller. */
export interface LogReplay {
  /** Each record of each valid frame, in order. Throws to end the open. Nothing has been written by then. */
  record(record: LogRecord): void;
  /** Called before the records of each segment, with what its header says about all that was before it, also where that is gone. */
  segment?(floors: SegmentFloors): void;
  /** Asked once, after the last record: every id given out so far is below it. */
  nextId(): number;
  /** Asked once, after the last record. */
  rankFloor?(): number;
}

/** What a segment's header keeps of the segments before it. */
export interface SegmentFloors {
  readonly segmentNumber: number;
  /** Every id given out before is below it. */
  readonly idFloor: number;
  /** The highest number that the owner had given to `write` before. */
  readonly rankFloor: number;
}

/** What the last open found and did. */
export interface LogRecovery {
  /** `new`: an empty directory. `clean`: closed in order. `unclean`: the last owner was cut off. */
  readonly kind: 'new' | 'clean' | 'unclean';
  readonly tookMs: number;
  readonly segments: number;
  readonly bytesRead: number;
  readonly records: number;
  readonly tornTail?: TornTail;
}

/** The bytes after the last valid frame, cut off and kept. */
export interface TornTail {
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
  readonly keptAs: string;
}
