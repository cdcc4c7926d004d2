import { FRAME_HEADER_BYTES, RECORD_HEADER_BYTES, type ReadWindow, recordMatches } from '@holdfast/core/log';
import type { Damage } from './segment-walk.js';

/** A damaged length must not make anything larger than the largest frame. */
const FRAME_BYTES_MAX = 64 * 1024 * 1024;

/** What is left of the records of a damaged place. The bytes are those of the window until it is moved. */
export interface LeftRecords {
  /** Where the bytes of `offset` are in the window. */
  readonly at: number;
  /** Places of the headers of whole records in the window, in order. */
  readonly whole: readonly number[];
  /** Records that are not whole; `undefined` when nobody knows how many there were. */
  readonly lost: number | undefined;
}

interface Region {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly start: number;
  readonly end: number;
}

/**
 * The records in a damaged place that are provably whole: each matches its own checksum, and begins where a record must begin. That is
 * at the start of a frame, behind a whole record, or in front of a row of whole records that has the right number and ends
 * exactly where the frame ends. Never where it just looks like a record: a payload may hold what looks like one.
 */
export function findWholeRecords(window: ReadWindow, damage: Damage): LeftRecords {
  const { offset, end, header, heldNoRecords } = damage;
  const none = { at: 0, whole: [], lost: heldNoRecords ? 0 : undefined };
  const bytes = Math.min(end - offset, FRAME_BYTES_MAX);
  if (heldNoRecords || offset === 0 || bytes < FRAME_HEADER_BYTES + RECORD_HEADER_BYTES) return none;
  const at = window.load(offset, bytes);
  if (at < 0) return none;
  const start = at + FRAME_HEADER_BYTES;
  const region = { bytes: window.buffer, view: window.view, start, end: at + bytes };
  if (header === undefined) return { at, ...ofUnknownFrame(region, damage) };
  return { at, ...ofKnownFrame({ ...region, end: Math.min(region.end, start + header.recordsBytes) }, header) };
}

function ofKnownFrame(region: Region, header: { readonly recordsBytes: number; readonly recordCount: number }) {
  const isComplete = region.end - region.start === header.recordsBytes;
  const chain = isComplete ? chainFrom(region, region.start, header.recordCount) : undefined;
  if (chain !== undefined) {
    const whole = chain.filter((at) => isWhole(region, at));
    return { whole, lost: header.recordCount - whole.length };
  }
  const first = wholeFrom(region, region.start, header.recordCount);
  const last = isComplete ? rowAtEnd(region, first.end, header.recordCount - first.whole.length - 1) : [];
  const whole = [...first.whole, ...last];
  return { whole, lost: header.recordCount - whole.length };
}

/** Only the place of the frame's first record is known. */
function ofUnknownFrame(region: Region, { firstSeq, lastSeq }: Damage) {
  const { whole, end } = wholeFrom(region, region.start, Number.POSITIVE_INFINITY);
  const padding = region.bytes.subarray(end, region.end);
  const fillsOneFrame = firstSeq === lastSeq && padding.length < 8 && padding.every((byte) => byte === 0);
  return { whole, lost: fillsOneFrame && whole.length > 0 ? 0 : undefined };
}

/** Whole records one behind the other, at most `limit`. */
function wholeFrom(region: Region, from: number, limit: number): { readonly whole: number[]; readonly end: number } {
  const whole: number[] = [];
  let at = from;
  while (whole.length < limit && isWhole(region, at)) {
    whole.push(at);
    at = recordEnd(region, at);
  }
  return { whole, end: at };
}

/** The only row of `count` whole records, somewhere behind `after`, that ends with the frame. */
function rowAtEnd(region: Region, after: number, count: number): readonly number[] {
  if (count <= 0) return [];
  let found: readonly number[] | undefined;
  for (let at = after + 1; at + RECORD_HEADER_BYTES <= region.end; at++) {
    const row = isPossible(region, at) ? chainFrom(region, at, count) : undefined;
    if (row === undefined || !row.every((record) => isWhole(region, record))) continue;
    if (found !== undefined) return [];
    found = row;
  }
  return found ?? [];
}

/** `count` records by their lengths from `from` exactly to the end. */
function chainFrom(region: Region, from: number, count: number): number[] | undefined {
  const chain: number[] = [];
  let at = from;
  while (chain.length < count) {
    if (at + RECORD_HEADER_BYTES > region.end) return undefined;
    chain.push(at);
    at = recordEnd(region, at);
  }
  return at === region.end ? chain : undefined;
}

function isWhole(region: Region, at: number): boolean {
  if (!isPossible(region, at)) return false;
  return recordMatches(region.bytes, region.view, at, recordEnd(region, at) - at);
}

function isPossible({ bytes, view, end }: Region, at: number): boolean {
  if (at + RECORD_HEADER_BYTES > end || bytes[at + 8] === 0) return false;
  return RECORD_HEADER_BYTES + view.getUint32(at, true) <= end - at;
}

function recordEnd({ view }: Region, at: number): number {
  return at + RECORD_HEADER_BYTES + view.getUint32(at, true);
}
