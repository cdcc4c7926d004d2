import { expect, it } from 'vitest';
import {
  beginRecord,
  finishRecord,
  RECORD_HEADER_BYTES,
  RecordCursor,
  recordMatches,
  walkRecords,
} from './record-codec.js';

/** Records of these sizes behind each other, each filled with its kind. */
function makeRecords(sizes: readonly number[]) {
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + RECORD_HEADER_BYTES + size, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  sizes.forEach((size, index) => {
    const end = at + RECORD_HEADER_BYTES + size;
    beginRecord(view, at, index + 1, index & 1, size);
    bytes.fill(index + 1, at + RECORD_HEADER_BYTES, end);
    finishRecord(bytes, view, at, end);
    at = end;
  });
  return { bytes, view };
}

function walk(bytes: Uint8Array<ArrayBuffer>, count: number) {
  const cursor = new RecordCursor();
  cursor.buffer = bytes;
  cursor.view = new DataView(bytes.buffer);
  const seen: number[][] = [];
  const wrong = walkRecords(cursor, { start: 0, end: bytes.length, count, location: 1000 }, (record) => {
    seen.push([record.kind, record.flags, record.bodyBytes, record.location, record.buffer[record.offset] ?? -1]);
  });
  return { seen, wrong };
}

it('walks records of any size, also empty ones', () => {
  const { bytes } = makeRecords([5, 0, 300]);
  expect(walk(bytes, 3)).toEqual({
    seen: [
      [1, 0, 5, 1000, 1],
      [2, 1, 0, 1017, 300 & 255],
      [3, 0, 300, 1029, 3],
    ],
    wrong: undefined,
  });
});

it.each([
  ['a count that is too small', [5, 6], 1, 'more bytes'],
  ['a count that is too large', [5, 6], 3, 'fewer records'],
])('reports %s', (_what, sizes, count, problem) => {
  expect(walk(makeRecords(sizes).bytes, count).wrong?.problem).toContain(problem);
});

it('reports a length beyond the frame before anything of that size is touched', () => {
  const { bytes, view } = makeRecords([5, 6]);
  view.setUint32(17, 0xffff_fff0, true);
  const { seen, wrong } = walk(bytes, 2);
  expect(seen).toHaveLength(1);
  expect(wrong).toEqual({ at: 17, problem: 'a record is longer than its frame' });
});

it('reports kind 0', () => {
  const { bytes, view } = makeRecords([5]);
  view.setUint8(8, 0);
  expect(walk(bytes, 1).wrong?.problem).toContain('kind 0');
});

it.each([
  ['crc', 4],
  ['kind', 8],
  ['flags', 9],
  ['reserved', 10],
  ['body', 12],
])('finds that the %s (byte %i) of a record changed', (_field, at) => {
  const { bytes, view } = makeRecords([20]);
  expect(recordMatches(bytes, view, 0, 32)).toBe(true);
  bytes[at]! ^= 1;
  expect(recordMatches(bytes, view, 0, 32)).toBe(false);
});
