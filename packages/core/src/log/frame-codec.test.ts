import { expect, it } from 'vitest';
import {
  decodeFrameHeader,
  encodeFrameHeader,
  FRAME_HEADER_BYTES,
  FRAME_TYPE,
  type FrameHeader,
  frameBytes,
} from './frame-codec.js';

const HEADER: FrameHeader = {
  type: FRAME_TYPE.records,
  recordsBytes: 345,
  recordCount: 7,
  salt: 0xfedc_ba98_7654_3210n,
  seq: 2 ** 40 + 5,
  durableUpTo: 2 ** 40 + 3,
  offset: 2 ** 33 + 8,
  recordsCrc: 0xdeadbeef,
};

function encode(header: FrameHeader): Uint8Array {
  const bytes = new Uint8Array(FRAME_HEADER_BYTES);
  encodeFrameHeader(bytes, new DataView(bytes.buffer), 0, header);
  return bytes;
}

function decode(bytes: Uint8Array): FrameHeader | undefined {
  return decodeFrameHeader(bytes, new DataView(bytes.buffer), 0);
}

it('reads what it wrote', () => {
  expect(decode(encode(HEADER))).toEqual(HEADER);
});

it('begins with the letters HFRM', () => {
  expect(new TextDecoder().decode(encode(HEADER).subarray(0, 4))).toBe('HFRM');
});

it.each([
  ['magic', 0],
  ['type', 4],
  ['reserved', 5],
  ['recordsBytes', 8],
  ['recordCount', 12],
  ['salt', 16],
  ['seq', 24],
  ['durableUpTo', 32],
  ['offset', 40],
  ['recordsCrc', 48],
  ['reserved', 52],
  ['headerCrc', 60],
])('refuses a header whose %s (byte %i) changed', (_field, at) => {
  const bytes = encode(HEADER);
  bytes[at]! ^= 1;
  expect(decode(bytes)).toBeUndefined();
});

it.each<[string, Partial<FrameHeader>]>([
  ['claims that it was durable before it was written', { durableUpTo: HEADER.seq }],
  ['has the type RECORDS and no record', { recordCount: 0 }],
  ['is larger than any frame', { recordsBytes: 2 ** 32 - 1 }],
  ['has the type SEAL and records', { type: FRAME_TYPE.seal }],
])('refuses a header with a right sum that %s', (_what, wrong) => {
  expect(decode(encode({ ...HEADER, ...wrong }))).toBeUndefined();
});

it('refuses a type that does not exist, zero above all', () => {
  for (const type of [0, 5, 255]) {
    expect(decode(encode({ ...HEADER, type: type as FrameHeader['type'] }))).toBeUndefined();
  }
  expect(decode(new Uint8Array(FRAME_HEADER_BYTES))).toBeUndefined();
});

it.each([
  [0, 64],
  [1, 72],
  [8, 72],
  [9, 80],
])('gives %i bytes of records a frame of %i', (records, frame) => {
  expect(frameBytes(records)).toBe(frame);
});
