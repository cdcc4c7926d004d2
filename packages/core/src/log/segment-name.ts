import { invariant } from '../invariant.js';

const PATTERN = /^([0-9]{10})\.segment$/;
/** A location holds the number above 32 bits of offset, in 53 bits. */
const SEGMENT_NUMBER_END = 2 ** 21;
/** No segment grows beyond what a location can say. */
export const OFFSETS_END = 2 ** 32;

/** A file that is being made. Ignored and removed at open. */
export const TEMPORARY_SUFFIX = '.tmp';
/** Of a segment that is no part of the log any more: for an open it is one more temporary file, and no file is made under such a name. */
export const GONE_SUFFIX = `.gone${TEMPORARY_SUFFIX}`;

export function segmentName(segmentNumber: number): string {
  invariant(segmentNumber > 0 && segmentNumber < SEGMENT_NUMBER_END, 'a segment number has 21 bits');
  return `${String(segmentNumber).padStart(10, '0')}.segment`;
}

/** The number in the name of a segment; `undefined` for any other name. */
export function parseSegmentName(name: string): number | undefined {
  const match = PATTERN.exec(name);
  const segmentNumber = Number(match?.[1] ?? 0);
  return segmentNumber > 0 && segmentNumber < SEGMENT_NUMBER_END ? segmentNumber : undefined;
}

export function makeLocation(segmentNumber: number, offset: number): number {
  return segmentNumber * OFFSETS_END + offset;
}

export function locationSegment(location: number): number {
  return Math.floor(location / OFFSETS_END);
}

export function locationOffset(location: number): number {
  return location % OFFSETS_END;
}
