import { expect, it } from 'vitest';
import type { LogFile } from './file-system.js';
import { ReadAhead } from './read-ahead.js';

const RECORD_BYTES = 100;
const CONTENTS = Uint8Array.from({ length: 1_000_000 }, (_, index) => (index * 7 + (index >> 8)) & 255);

/** A file in memory that counts what is asked of it. */
function countingFile(contents = CONTENTS) {
  const asked: number[] = [];
  const file = {
    read(into: Uint8Array, position: number) {
      asked.push(into.length);
      const found = contents.subarray(position, position + into.length);
      into.set(found);
      return found.length;
    },
  } as LogFile;
  return { file, asked };
}

const record = (offset: number, bytes = RECORD_BYTES) => CONTENTS.subarray(offset, offset + bytes);

it('reads records that follow each other in pieces, with gaps between them', () => {
  const { file, asked } = countingFile();
  const ahead = new ReadAhead();
  for (let offset = 0; offset + RECORD_BYTES <= CONTENTS.length; offset += 3 * RECORD_BYTES) {
    expect(ahead.read(file, offset, RECORD_BYTES)).toEqual(record(offset));
  }
  expect(asked.length).toBeLessThan(10);
});

it('reads no more than a record where the next one lies elsewhere', () => {
  const { file, asked } = countingFile();
  const ahead = new ReadAhead();
  for (const offset of [600_000, 300_000, 0]) expect(ahead.read(file, offset, 50)).toEqual(record(offset, 50));
  expect(asked).toEqual([50, 50, 50]);
});

it('goes back inside the piece that it holds without another call', () => {
  const { file, asked } = countingFile();
  const ahead = new ReadAhead();
  for (const offset of [0, 100, 500, 300]) expect(ahead.read(file, offset, 100)).toEqual(record(offset));
  expect(asked.length).toBe(2);
});

it('keeps two files apart, and what it gave out unchanged', () => {
  const one = countingFile();
  const other = countingFile(CONTENTS.toReversed());
  const ahead = new ReadAhead();
  const given = [0, 100, 200].map((offset) => ahead.read(one.file, offset, 100));
  for (const offset of [0, 100, 200]) {
    expect(ahead.read(other.file, offset, 100)).toEqual(CONTENTS.toReversed().subarray(offset, offset + 100));
  }
  expect(given).toEqual([0, 100, 200].map((offset) => record(offset)));
});

it('sees what was appended after a piece was read, and the end of the file', () => {
  const contents = new Uint8Array(300);
  let size = 200;
  const file = {
    read(into: Uint8Array, position: number) {
      const found = contents.subarray(position, Math.min(size, position + into.length));
      into.set(found);
      return found.length;
    },
  } as LogFile;
  const ahead = new ReadAhead();
  ahead.read(file, 0, 100);
  ahead.read(file, 100, 100);
  expect(ahead.read(file, 200, 100)).toHaveLength(0);
  contents.fill(9, 200);
  size = 300;
  expect(ahead.read(file, 200, 100)).toEqual(new Uint8Array(100).fill(9));
});

it('remembers nothing behind the end of what was written, where zeros may stand for what is to come', () => {
  const contents = new Uint8Array(300).fill(9, 0, 200);
  const { file } = countingFile(contents);
  const ahead = new ReadAhead();
  for (const offset of [0, 100]) ahead.read(file, offset, 100, 200);
  contents.fill(7, 200);
  expect(ahead.read(file, 200, 100, 300)).toEqual(new Uint8Array(100).fill(7));
});

it('reads a record that is larger than a piece whole', () => {
  const { file } = countingFile();
  const ahead = new ReadAhead();
  ahead.read(file, 0, 100);
  expect(ahead.read(file, 100, 700_000)).toEqual(record(100, 700_000));
});
