import { join } from 'node:path';
import { LogCorruptError, LogVersionError } from '@holdfast/contract';
import {
  decodeFrameHeader,
  decodeSegmentHeader,
  FRAME_HEADER_BYTES,
  type FrameHeader,
  type LogFile,
  type LogSnapshot,
  parseSegmentName,
  readUpTo,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
} from '@holdfast/core/log';

/** A segment that is not retired, as far as its header tells. */
export interface SurveyedSegment {
  readonly name: string;
  readonly number: number;
  readonly path: string;
  readonly file: LogFile;
  readonly bytes: number;
  /** No frame begins here or behind: of the tail, where the zeros begin that reach to its end. */
  readonly dataEnd: number;
  /** `undefined` when it is damaged. */
  readonly header: SegmentHeader | undefined;
  readonly headerProblem: string | undefined;
  /** What its frames carry. Without a header it follows from a frame that is proven in another way; else `undefined`. */
  readonly salt: bigint | undefined;
  /** Sequence number of its first frame, where header or frame tell it. */
  readonly firstSeq: number | undefined;
  /** Frames are appended to it, or were until the end. An invalid end of it may be a torn one. */
  readonly isTail: boolean;
  /** What its successor says about its end. `undefined`: nothing is known. */
  readonly end: KnownEnd | undefined;
}

export interface KnownEnd {
  readonly bytes: number;
  readonly lastSeq: number;
}

export interface LogSurvey {
  /** In order. Numbers may be missing. */
  readonly segments: readonly SurveyedSegment[];
  /** Names of segments that compaction left behind. */
  readonly retired: readonly string[];
  /** Names of segments of other stores. */
  readonly foreign: readonly string[];
  /** Of the last segment that tells; `undefined` when no header is whole. */
  readonly newest: SegmentHeader | undefined;
}

interface Found {
  readonly name: string;
  readonly number: number;
  readonly path: string;
  readonly file: LogFile;
  readonly header: SegmentHeader | undefined;
  readonly headerProblem: string | undefined;
}

/**
 * What segments there are, whatever is damaged in them.
 * @throws LogVersionError when one is not of this format
 */
export function surveyLog(snapshot: LogSnapshot): LogSurvey {
  const found = snapshot.segmentNames.map((name) => readHeader(snapshot, name));
  const newest = found.findLast(({ header }) => header !== undefined)?.header;
  const minSegment = Math.max(0, ...found.map(({ header }) => (isOf(newest, header) ? header.minSegment : 0)));
  const isRetired = ({ number }: Found) => number < minSegment;
  const isForeign = ({ header }: Found) => header !== undefined && !isOf(newest, header);
  const live = found.filter((segment) => !isRetired(segment) && !isForeign(segment));
  return {
    segments: live.map((segment, index) => describe(segment, live[index + 1], index >= live.length - 2)),
    retired: found.filter(isRetired).map(({ name }) => name),
    foreign: found.filter((segment) => !isRetired(segment) && isForeign(segment)).map(({ name }) => name),
    newest,
  };
}

function readHeader(snapshot: LogSnapshot, name: string): Found {
  const path = join(snapshot.directory, name);
  const number = parseSegmentName(name) ?? 0;
  const file = snapshot.open(path, 'read');
  const base = { name, number, path, file };
  try {
    const header = decodeSegmentHeader(readUpTo(file, 0, SEGMENT_HEADER_BYTES), path);
    if (header.segmentNumber === number) return { ...base, header, headerProblem: undefined };
    const headerProblem = `its header says that it is segment ${header.segmentNumber}`;
    return { ...base, header: undefined, headerProblem };
  } catch (error) {
    if (error instanceof LogVersionError || !(error instanceof LogCorruptError)) throw error;
    return { ...base, header: undefined, headerProblem: error.problem };
  }
}

function isOf(store: SegmentHeader | undefined, header: SegmentHeader | undefined): header is SegmentHeader {
  return header?.storeId.every((byte, index) => byte === store?.storeId[index]) ?? false;
}

function describe(found: Found, next: Found | undefined, isNearEnd: boolean): SurveyedSegment {
  // Until the last segment has a frame, the one before it is the tail: its end may not be written yet.
  const nextIsUsed = next !== undefined && next.file.size() > SEGMENT_HEADER_BYTES;
  const isTail = isNearEnd && !nextIsUsed;
  const bytes = found.file.size();
  const dataEnd = isTail ? found.file.dataEnd() : bytes;
  const end = isTail ? undefined : knownEnd(found, next);
  const salt = found.header?.salt ?? provenSalt(found.file, end);
  const firstSeq = found.header?.firstSeq ?? frameAt(found.file, SEGMENT_HEADER_BYTES)?.seq;
  return { ...found, bytes, dataEnd, salt, firstSeq, isTail, end };
}

function knownEnd(found: Found, next: Found | undefined): KnownEnd | undefined {
  if (next?.header === undefined || next.header.previousSegment !== found.number) return undefined;
  return { bytes: next.header.previousEnd, lastSeq: next.header.previousLastSeq };
}

/**
 * The salt of a segment without a header. The successor names place and number of the last frame, which holds the salt. Failing that,
 * the first frame stands at a place where nothing but a frame ever stood.
 */
function provenSalt(file: LogFile, end: KnownEnd | undefined): bigint | undefined {
  if (end !== undefined) {
    const last = frameAt(file, end.bytes - FRAME_HEADER_BYTES);
    if (last?.seq === end.lastSeq) return last.salt;
  }
  return frameAt(file, SEGMENT_HEADER_BYTES)?.salt;
}

function frameAt(file: LogFile, offset: number): FrameHeader | undefined {
  if (offset < SEGMENT_HEADER_BYTES) return undefined;
  const bytes = readUpTo(file, offset, FRAME_HEADER_BYTES);
  if (bytes.length < FRAME_HEADER_BYTES) return undefined;
  const header = decodeFrameHeader(bytes, new DataView(bytes.buffer), 0);
  return header?.offset === offset ? header : undefined;
}
