import { LogCorruptError, LogVersionError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { crc32c } from './crc32c.js';
import {
  decodeSegmentHeader,
  encodeSegmentHeader,
  refuseWriting,
  SEGMENT_HEADER_BYTES,
  type SegmentHeader,
} from './segment-header.js';

const HEADER: SegmentHeader = {
  compatibleFeatures: 4,
  readOnlyFeatures: 0,
  incompatibleFeatures: 0,
  storeId: Uint8Array.from({ length: 16 }, (_, index) => 200 + index),
  segmentNumber: 7,
  salt: 0x0123_4567_89ab_cdefn,
  epoch: 3,
  firstSeq: 2 ** 35,
  idFloor: 1001,
  tokenFloor: 3 * 2 ** 32,
  minSegment: 2,
  createdAtMs: 1_790_000_000_000,
  previousSegment: 6,
  previousEnd: 67_108_992,
  previousLastSeq: 2 ** 35 - 1,
  previousCrc: 0xcafe_babe,
  rankFloor: 1_790_000_000_001,
};

/** [field, offset]: one for each row of the table in docs/log-format.md. */
const FIELDS = [
  ['magic', 0],
  ['formatVersion', 8],
  ['headerBytes', 10],
  ['compatibleFeatures', 12],
  ['readOnlyFeatures', 16],
  ['incompatibleFeatures', 20],
  ['storeId', 24],
  ['segmentNumber', 40],
  ['salt', 48],
  ['epoch', 56],
  ['firstSeq', 64],
  ['idFloor', 72],
  ['tokenFloor', 80],
  ['minSegment', 88],
  ['createdAtMs', 96],
  ['previousSegment', 104],
  ['previousEnd', 112],
  ['previousLastSeq', 120],
  ['previousCrc', 128],
  ['rankFloor', 132],
  ['reserved', 140],
  ['headerCrc', 252],
] as const;

function changed(at: number, value: number, fixSum: boolean): Uint8Array {
  const bytes = encodeSegmentHeader(HEADER);
  bytes[at] = value;
  if (fixSum) new DataView(bytes.buffer).setUint32(252, crc32c(bytes, 0, 252), true);
  return bytes;
}

it('reads what it wrote', () => {
  const bytes = encodeSegmentHeader(HEADER);
  expect(bytes).toHaveLength(SEGMENT_HEADER_BYTES);
  expect(decodeSegmentHeader(bytes, 'file')).toEqual(HEADER);
});

it.each(FIELDS)('refuses a header whose %s (byte %i) changed', (_field, at) => {
  const bytes = encodeSegmentHeader(HEADER);
  expect(() => decodeSegmentHeader(changed(at, bytes[at]! ^ 1, false), 'file')).toThrow(LogCorruptError);
});

it.each([
  ['other letters at its beginning', 0, 0x68, 'not a segment of a Holdfast log'],
  ['a version to come', 8, 2, 'format version 2'],
  ['a header of another size', 10, 1, 'format version 1'],
  ['features that must be known', 20, 8, 'bits 8'],
])('refuses whole bytes with %s as not of this version', (_what, at, value, message) => {
  const read = () => decodeSegmentHeader(changed(at, value, true), 'file');
  expect(read).toThrow(LogVersionError);
  expect(read).toThrow(message);
});

it('reads a header with compatible features or reserved bytes that it does not know', () => {
  expect(decodeSegmentHeader(changed(12, 255, true), 'file').compatibleFeatures).toBe(255);
  expect(decodeSegmentHeader(changed(200, 9, true), 'file').segmentNumber).toBe(7);
});

it('reads, but does not write to, a log with unknown read-only features', () => {
  const header = decodeSegmentHeader(changed(16, 1, true), 'file');
  expect(() => refuseWriting(header, 'file')).toThrow(LogVersionError);
  expect(() => refuseWriting(HEADER, 'file')).not.toThrow();
});

it('refuses numbers that are not exact', () => {
  expect(() => decodeSegmentHeader(changed(47, 255, true), 'file')).toThrow('impossible');
});

it('refuses a header that is cut off', () => {
  expect(() => decodeSegmentHeader(encodeSegmentHeader(HEADER).subarray(0, 255), 'file')).toThrow('cut off');
});
