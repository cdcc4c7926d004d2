import {
  decodeFrameHeader,
  FRAME_HEADER_BYTES,
  FRAME_TYPE,
  type Frame,
  type FrameHeader,
  FrameReader,
  findEvidence,
  frameBytes,
  type ReadWindow,
  SEGMENT_HEADER_BYTES,
} from '@holdfast/core/log';
import type { SurveyedSegment } from './log-survey.js';

/** A valid frame. Its bytes are in the window until the walk goes on. */
export interface WholeFrame {
  readonly type: 'frame';
  readonly frame: Frame;
}

/** Bytes that had been durable and are no valid frames any more. */
export interface Damage {
  readonly type: 'damage';
  readonly offset: number;
  /** Where the next valid frame begins, or the file ends. */
  readonly end: number;
  readonly problem: string;
  readonly firstSeq: number;
  /** Below firstSeq: no frame is lost. `undefined`: nobody knows how many are. */
  readonly lastSeq: number | undefined;
  /** The frame's header, when that is whole and only its records are not. */
  readonly header: FrameHeader | undefined;
  /** All frames that were here were such as hold no records. */
  readonly heldNoRecords: boolean;
}

/** An end that was never answered as durable. An open cuts it off. */
export interface TornEnd {
  readonly type: 'torn';
  readonly offset: number;
  readonly bytes: number;
  readonly problem: string;
  readonly firstSeq: number;
}

export type SegmentEvent = WholeFrame | Damage | TornEnd;

/**
 * Walks a segment from its first frame to its end, whatever is damaged in it. What counts as damage and what as a torn end is as in
 * docs/log-format.md, "Opening"; only that the walk goes on behind the damage, at the next frame header of this file that is
 * valid and stands in its place.
 */
export function walkSegment(segment: SurveyedSegment, firstSeq: number, window: ReadWindow): Generator<SegmentEvent> {
  return new SegmentWalk(segment, firstSeq, window).events();
}

class SegmentWalk {
  readonly #segment: SurveyedSegment;
  readonly #window: ReadWindow;
  readonly #firstSeq: number;

  constructor(segment: SurveyedSegment, firstSeq: number, window: ReadWindow) {
    this.#segment = segment;
    this.#window = window;
    this.#firstSeq = firstSeq;
  }

  *events(): Generator<SegmentEvent> {
    const { file, salt, dataEnd } = this.#segment;
    if (salt === undefined) {
      if (dataEnd > SEGMENT_HEADER_BYTES || !this.#segment.isTail) yield this.#allLost();
      return;
    }
    const reader = new FrameReader(file, this.#window, { salt, firstSeq: this.#firstSeq });
    while (reader.position < dataEnd) {
      const frame = reader.next();
      if (frame !== undefined) {
        yield { type: 'frame', frame };
        continue;
      }
      const event = this.#judge(reader);
      yield event;
      if (event.type === 'torn' || event.lastSeq === undefined || event.end >= dataEnd) {
        if (event.type === 'damage' && event.lastSeq !== undefined) reader.nextSeq = event.lastSeq + 1;
        break;
      }
      resume(reader, event);
    }
    const missing = this.#missingEnd(reader);
    if (missing !== undefined) yield missing;
  }

  /** Neither header nor frames tell the salt: nothing in the file is provably of it. */
  #allLost(): Damage {
    const { headerProblem, bytes, end } = this.#segment;
    const problem = `${headerProblem}, and no frame proves which are its own`;
    const place = { offset: 0, end: bytes, firstSeq: this.#firstSeq, lastSeq: end?.lastSeq };
    return { type: 'damage', ...place, problem, header: undefined, heldNoRecords: false };
  }

  #judge(reader: FrameReader): Damage | TornEnd {
    const { position: offset, nextSeq, problem = 'there is no frame' } = reader;
    const { dataEnd, isTail } = this.#segment;
    const lastType = reader.last?.type;
    const isEnded = lastType === FRAME_TYPE.seal || lastType === FRAME_TYPE.close;
    if (isTail && !isEnded && !this.#hasEvidence(offset, nextSeq)) {
      return { type: 'torn', offset, bytes: dataEnd - offset, problem, firstSeq: nextSeq };
    }
    const header = this.#ownHeaderAt(offset);
    if (header !== undefined && header.seq > nextSeq) {
      const place = { offset, end: offset, firstSeq: nextSeq, lastSeq: header.seq - 1 };
      return { type: 'damage', ...place, problem: 'frames are missing', header: undefined, heldNoRecords: false };
    }
    if (header !== undefined && header.seq === nextSeq && !isEnded) {
      const end = Math.min(dataEnd, offset + frameBytes(header.recordsBytes));
      const heldNoRecords = header.type !== FRAME_TYPE.records;
      return { type: 'damage', offset, end, problem, firstSeq: nextSeq, lastSeq: nextSeq, header, heldNoRecords };
    }
    return this.#unknownUntilNext(reader, problem, isEnded);
  }

  #unknownUntilNext({ position: offset, nextSeq: firstSeq }: FrameReader, problem: string, isEnded: boolean): Damage {
    const { dataEnd, end: known } = this.#segment;
    const next = this.#findOwnHeader(offset + 8, firstSeq + 1);
    const end = next?.offset ?? dataEnd;
    const lastSeq = next === undefined ? (isEnded ? firstSeq - 1 : known?.lastSeq) : next.seq - 1;
    // Frames without records are all header.
    const headersOnly = lastSeq !== undefined && end - offset === (lastSeq - firstSeq + 1) * FRAME_HEADER_BYTES;
    return { type: 'damage', offset, end, problem, firstSeq, lastSeq, header: undefined, heldNoRecords: headersOnly };
  }

  /** The file ends too early: a successor, or the order of the files, says so. */
  #missingEnd({ position, nextSeq }: FrameReader): Damage | undefined {
    const { end, bytes } = this.#segment;
    if (end === undefined || nextSeq > end.lastSeq) return undefined;
    return {
      type: 'damage',
      offset: bytes,
      end: bytes,
      problem: 'its end is missing',
      firstSeq: nextSeq,
      lastSeq: end.lastSeq,
      header: undefined,
      heldNoRecords: nextSeq === end.lastSeq && position === end.bytes - FRAME_HEADER_BYTES,
    };
  }

  #hasEvidence(position: number, seq: number): boolean {
    const { salt = 0n, dataEnd } = this.#segment;
    return findEvidence(this.#window, { salt, position, dataEnd, seq }) !== undefined;
  }

  #findOwnHeader(from: number, seqMin: number): FrameHeader | undefined {
    for (let offset = from; offset < this.#segment.dataEnd; offset += 8) {
      const header = this.#ownHeaderAt(offset);
      if (header !== undefined && header.seq >= seqMin) return header;
    }
    return undefined;
  }

  #ownHeaderAt(offset: number): FrameHeader | undefined {
    const window = this.#window;
    const at = window.load(offset, FRAME_HEADER_BYTES);
    const header = at < 0 ? undefined : decodeFrameHeader(window.buffer, window.view, at);
    return header?.salt === this.#segment.salt && header?.offset === offset ? header : undefined;
  }
}

function resume(reader: FrameReader, { end, lastSeq, firstSeq }: Damage): void {
  reader.position = end;
  reader.nextSeq = (lastSeq ?? firstSeq - 1) + 1;
  reader.problem = undefined;
}
