import {
  FRAME_HEADER_BYTES,
  FRAME_TYPE,
  type LogRecord,
  makeLocation,
  RecordCursor,
  walkRecords,
} from '@holdfast/core/log';
import type { LogSurvey, SurveyedSegment } from '../salvage/log-survey.js';
import { type MissingSegments, walkLog } from '../salvage/log-walk.js';
import type { Damage, TornEnd, WholeFrame } from '../salvage/segment-walk.js';
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
  new Salvage(survey, reader).run((done, all) => progress.report(doing, done, all));
}

class Salvage {
  readonly #survey: LogSurvey;
  readonly #reader: SalvageReader;
  readonly #cursor = new RecordCursor();

  constructor(survey: LogSurvey, reader: SalvageReader) {
    this.#survey = survey;
    this.#reader = reader;
  }

  run(report: (doneBytes: number, allBytes: number) => void): void {
    const all = this.#survey.segments.reduce((sum, { bytes }) => sum + bytes, 0);
    let before = 0;
    const { window, events } = walkLog(this.#survey);
    for (const [segment, event] of events) {
      this.#cursor.buffer = window.buffer;
      this.#cursor.view = window.view;
      if (event.type === 'missing') this.#missing(event);
      else if (segment === undefined) continue;
      else if (event.type === 'segment') this.#reader.segment?.(segment);
      else if (event.type === 'torn') this.#reader.torn?.(segment, event);
      else if (event.type === 'frame') this.#frame(segment, event);
      else {
        const left = findWholeRecords(window, event);
        this.#cursor.buffer = window.buffer;
        this.#cursor.view = window.view;
        this.#damage(segment, event, left);
      }
      if (event.type === 'frame') report(before + event.frame.header.offset, all);
      if (event.type === 'segment') before += this.#bytesBefore(segment);
    }
  }

  #bytesBefore(segment: SurveyedSegment | undefined): number {
    const index = this.#survey.segments.findIndex((one) => one === segment);
    return this.#survey.segments[index - 1]?.bytes ?? 0;
  }

  #frame(segment: SurveyedSegment, { frame: { header, at } }: WholeFrame): void {
    this.#reader.frame?.(header.seq);
    if (header.type !== FRAME_TYPE.records) return;
    const start = at + FRAME_HEADER_BYTES;
    const location = makeLocation(segment.number, header.offset + FRAME_HEADER_BYTES);
    const range = { start, end: start + header.recordsBytes, count: header.recordCount, location };
    walkRecords(this.#cursor, range, (record) => this.#reader.record(record));
    this.#reader.frameEnd?.();
  }

  #damage(segment: SurveyedSegment, damage: Damage, left: ReturnType<typeof findWholeRecords>): void {
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

  #missing({ first, last, firstSeq, lastSeq }: MissingSegments): void {
    const file = `${String(first).padStart(10, '0')}.segment`;
    const more = last === undefined ? ' (and any behind it)' : last > first ? ` (and ${last - first} more)` : '';
    const gap = { file, offset: 0, bytes: 0, problem: `the file${more} is missing`, firstSeq, lastSeq };
    const whole = { ...gap, recordsSaved: 0, recordsLost: undefined };
    this.#reader.gapBegins?.(whole);
    this.#reader.gapEnds?.(whole);
  }
}
