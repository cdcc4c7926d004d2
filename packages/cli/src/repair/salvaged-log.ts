import {
  FRAME_HEADER_BYTES,
  FRAME_TYPE,
  type LogRecord,
  makeLocation,
  type ReadWindow,
  RecordCursor,
  walkRecords,
} from '@holdfast/core/log';
import type { LogSurvey, SurveyedSegment } from '../salvage/log-survey.js';
import { type MissingSegments, type SegmentBegins, walkLog } from '../salvage/log-walk.js';
import type { Damage, SegmentEvent, TornEnd, WholeFrame } from '../salvage/segment-walk.js';
import { findWholeRecords } from '../salvage/whole-records.js';
import type { Progress } from '../terminal/progress.js';

/** A place of the log whose records are not all there. */
export interface Gap {
  /** The file; of missing ones the first. */
  readonly file: string;
  readonly offset: number;
  readonly bytes: number;
  readonly problem: string;
  readonly firstSeq: number;
  readonly lastSeq: number | undefined;
  readonly recordsSaved: number;
  /** `undefined`: nobody knows. */
  readonly recordsLost: number | undefined;
}

/** Reads what is left of a log, in order. Records are valid during the call. */
export interface SalvageReader {
  segment?(segment: SurveyedSegment): void;
  record(record: LogRecord): void;
  /** A whole frame begins. */
  frame?(seq: number): void;
  /** The records of one frame came to their end. */
  frameEnd?(): void;
  /** Comes before the records that were saved of the place. */
  gapBegins?(gap: Gap): void;
  gapEnds?(gap: Gap): void;
  torn?(segment: SurveyedSegment, end: TornEnd): void;
}

export function readSalvaged(survey: LogSurvey, progress: Progress, doing: string, reader: SalvageReader): void {
  const all = survey.segments.reduce((sum, { bytes }) => sum + bytes, 0);
  const { window, events } = walkLog(survey);
  const salvage = new Salvage(reader, window, (done) => progress.report(doing, done, all));
  for (const [segment, event] of events) {
    if (event.type === 'missing') salvage.missing(event);
    else if (segment !== undefined) salvage.visit(segment, event);
  }
}

class Salvage {
  readonly #reader: SalvageReader;
  readonly #window: ReadWindow;
  readonly #report: (doneBytes: number) => void;
  readonly #cursor = new RecordCursor();
  /** Bytes of the segments so far, this one included. */
  #begun = 0;

  constructor(reader: SalvageReader, window: ReadWindow, report: (doneBytes: number) => void) {
    this.#reader = reader;
    this.#window = window;
    this.#report = report;
  }

  visit(segment: SurveyedSegment, event: SegmentBegins | SegmentEvent): void {
    switch (event.type) {
      case 'segment':
        this.#begun += segment.bytes;
        this.#reader.segment?.(segment);
        break;
      case 'frame':
        this.#report(this.#begun - segment.bytes + event.frame.header.offset);
        this.#frame(segment, event);
        break;
      case 'damage':
        this.#damage(segment, event);
        break;
      case 'torn':
        this.#reader.torn?.(segment, event);
    }
  }

  #frame(segment: SurveyedSegment, { frame: { header, at } }: WholeFrame): void {
    this.#reader.frame?.(header.seq);
    if (header.type !== FRAME_TYPE.records) return;
    this.#pointAtWindow();
    const start = at + FRAME_HEADER_BYTES;
    const location = makeLocation(segment.number, header.offset + FRAME_HEADER_BYTES);
    const range = { start, end: start + header.recordsBytes, count: header.recordCount, location };
    walkRecords(this.#cursor, range, (record) => this.#reader.record(record));
    this.#reader.frameEnd?.();
  }

  #damage(segment: SurveyedSegment, damage: Damage): void {
    const left = findWholeRecords(this.#window, damage);
    this.#pointAtWindow();
    const { offset, end, problem, firstSeq, lastSeq } = damage;
    const noFrame = lastSeq !== undefined && lastSeq < firstSeq;
    const recordsLost = noFrame ? 0 : left.lost;
    const place = { file: segment.name, offset, bytes: end - offset, problem, firstSeq, lastSeq };
    const gap = { ...place, recordsSaved: left.whole.length, recordsLost };
    this.#reader.gapBegins?.(gap);
    for (const at of left.whole) {
      this.#cursor.point(at, makeLocation(segment.number, offset + at - left.at));
      this.#reader.record(this.#cursor);
    }
    if (left.whole.length > 0) this.#reader.frameEnd?.();
    this.#reader.gapEnds?.(gap);
  }

  /** It may have got another buffer since. */
  #pointAtWindow(): void {
    this.#cursor.buffer = this.#window.buffer;
    this.#cursor.view = this.#window.view;
  }

  missing({ first, last, firstSeq, lastSeq }: MissingSegments): void {
    const file = `${String(first).padStart(10, '0')}.segment`;
    const more = last === undefined ? ' (and any behind it)' : last > first ? ` (and ${last - first} more)` : '';
    const gap = { file, offset: 0, bytes: 0, problem: `the file${more} is missing`, firstSeq, lastSeq };
    const whole = { ...gap, recordsSaved: 0, recordsLost: undefined };
    this.#reader.gapBegins?.(whole);
    this.#reader.gapEnds?.(whole);
  }
}
