import { join } from 'node:path';
import { LogCorruptError } from '@holdfast/contract';
import type { FrameHeader } from './frame-codec.js';
import type { SegmentHeader } from './segment-header.js';
import { segmentName } from './segment-name.js';

export interface FoundSegment {
  readonly name: string;
  readonly file: string;
  readonly header: SegmentHeader;
  readonly size: number;
}

/** A segment whose frames were read. */
export interface ReadSegment extends FoundSegment {
  /** The end of its last valid frame. */
  readonly end: number;
  /** `end`, or where the bytes behind it end that are not zero. */
  readonly dataEnd: number;
  /** Its last valid frame; `undefined` when it holds none. */
  readonly last: FrameHeader | undefined;
  readonly lastSeq: number;
  readonly lastCrc: number;
}

/** The live segments are numbered without gaps from the lowest that is not retired, and are of one store. */
export function checkNeighbours(live: readonly FoundSegment[], directory: string): void {
  let expected = Math.max(1, live.at(-1)?.header.minSegment ?? 1);
  for (const { file, header } of live) {
    if (header.segmentNumber !== expected) {
      throw new LogCorruptError(join(directory, segmentName(expected)), 0, 'this segment is missing');
    }
    const first = live[0]!.header;
    if (!header.storeId.every((byte, index) => byte === first.storeId[index])) {
      throw new LogCorruptError(file, 24, 'it belongs to another store');
    }
    expected++;
  }
}

/** A segment names the one before it, so that also a cut between two frames is seen. */
export function checkPrevious(segment: FoundSegment, before: ReadSegment): void {
  const { header } = segment;
  const matches =
    header.previousSegment === before.header.segmentNumber &&
    header.previousEnd === before.end &&
    header.previousLastSeq === before.lastSeq &&
    header.previousCrc === before.lastCrc &&
    header.firstSeq === before.lastSeq + 1 &&
    header.epoch >= before.header.epoch;
  if (!matches) throw new LogCorruptError(segment.file, 104, 'it does not follow the segment before it');
}
