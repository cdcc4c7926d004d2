import { crc32c } from './crc32c.js';
import type { LogRecord } from './log-record.js';

/*
 *  0           4     8      9       10         12
 *  | bodyBytes | crc | kind | flags | reserved | body …
 */
export const RECORD_HEADER_BYTES = 12;
const CRC_AT = 4;
/** The sum covers everything from here on. */
const SUMMED_FROM = 8;

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/** The one object that is handed out for many records. */
export class RecordCursor implements LogRecord {
  kind = 0;
  flags = 0;
  buffer = NO_BYTES;
  view = NO_VIEW;
  offset = 0;
  bodyBytes = 0;
  location = 0;
  recordBytes = 0;

  /** Points at a record whose header begins at `at`. */
  point(at: number, location: number): void {
    this.offset = at + RECORD_HEADER_BYTES;
    this.bodyBytes = this.view.getUint32(at, true);
    this.recordBytes = RECORD_HEADER_BYTES + this.bodyBytes;
    this.kind = this.view.getUint8(at + 8);
    this.flags = this.view.getUint8(at + 9);
    this.location = location;
  }
}

/** Writes the header but for the sum, which needs the body. */
export function beginRecord(view: DataView, at: number, kind: number, flags: number, bodyBytes: number): void {
  view.setUint32(at, bodyBytes, true);
  view.setUint32(at + SUMMED_FROM, kind | (flags << 8), true);
}

/** Writes the sum of a record whose body is in place and ends at `end`. */
export function finishRecord(bytes: Uint8Array, view: DataView, at: number, end: number): void {
  view.setUint32(at + CRC_AT, crc32c(bytes, at + SUMMED_FROM, end, 0, view), true);
}

export function recordMatches(bytes: Uint8Array, view: DataView, at: number, recordBytes: number): boolean {
  return view.getUint32(at + CRC_AT, true) === crc32c(bytes, at + SUMMED_FROM, at + recordBytes, 0, view);
}

/**
 * Calls `visit` for each of `count` records in [start, end), whose frame has been checked.
 * @returns what is wrong with their lengths, and where; `undefined` when all is well
 */
export function walkRecords(
  cursor: RecordCursor,
  range: { readonly start: number; readonly end: number; readonly count: number; readonly location: number },
  visit: (record: LogRecord) => void,
): { readonly at: number; readonly problem: string } | undefined {
  const { start, end, count } = range;
  let at = start;
  for (let index = 0; index < count; index++) {
    if (end - at < RECORD_HEADER_BYTES) return { at, problem: 'a frame holds fewer records than it says' };
    cursor.point(at, range.location + at - start);
    if (cursor.kind === 0) return { at, problem: 'a record has kind 0' };
    if (cursor.recordBytes > end - at) return { at, problem: 'a record is longer than its frame' };
    const next = at + cursor.recordBytes;
    visit(cursor);
    at = next;
  }
  return at === end ? undefined : { at, problem: 'a frame holds more bytes than its records' };
}
