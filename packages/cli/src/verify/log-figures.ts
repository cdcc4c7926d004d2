import { basename } from 'node:path';
import { LogCorruptError } from '@holdfast/contract';
import {
  type FrameHeader,
  type LogRecord,
  type LogVisitor,
  locationOffset,
  RECORD_HEADER_BYTES,
  recordMatches,
  type SegmentHeader,
} from '@holdfast/core/log';

/** What was counted in one segment. */
export interface SegmentFigures {
  readonly file: string;
  readonly segment: number;
  readonly epoch: number;
  readonly firstSeq: number;
  lastSeq: number;
  frames: number;
  records: number;
}

/** Counts what an examination reads, and checks the checksum of each record besides that of its frame. */
export class LogFigures implements LogVisitor {
  readonly segments: SegmentFigures[] = [];
  storeId: Uint8Array | undefined;
  readonly #eachRecord: (record: LogRecord) => void;
  readonly #eachFrame: (file: string, header: FrameHeader) => void;
  readonly #eachSegment: (header: SegmentHeader) => void;

  constructor(
    eachFrame: (file: string, header: FrameHeader) => void,
    eachRecord: (record: LogRecord) => void,
    eachSegment: (header: SegmentHeader) => void,
  ) {
    this.#eachSegment = eachSegment;
    this.#eachFrame = eachFrame;
    this.#eachRecord = eachRecord;
  }

  segment(file: string, header: SegmentHeader): void {
    const { segmentNumber: segment, epoch, firstSeq, storeId } = header;
    this.#eachSegment(header);
    this.storeId = storeId.slice();
    const counts = { lastSeq: firstSeq - 1, frames: 0, records: 0 };
    this.segments.push({ file: basename(file), segment, epoch, firstSeq, ...counts });
  }

  frame(file: string, header: FrameHeader): void {
    const figures = this.#last;
    figures.frames++;
    figures.lastSeq = header.seq;
    this.#eachFrame(file, header);
  }

  record(record: LogRecord): void {
    const { buffer, view, offset, recordBytes, location } = record;
    const figures = this.#last;
    if (!recordMatches(buffer, view, offset - RECORD_HEADER_BYTES, recordBytes)) {
      throw new LogCorruptError(figures.file, locationOffset(location), 'a record does not match its own checksum');
    }
    this.#eachRecord(record);
    figures.records++;
  }

  get frames(): number {
    return this.segments.reduce((sum, { frames }) => sum + frames, 0);
  }

  get records(): number {
    return this.segments.reduce((sum, { records }) => sum + records, 0);
  }

  get #last(): SegmentFigures {
    const last = this.segments.at(-1);
    if (last === undefined) throw new Error('A frame is read before its segment.');
    return last;
  }
}
