import { crc32c, FRAME_HEADER_BYTES, FRAME_TYPE, type LogFile, ReadWindow } from '@holdfast/core/log';
import { expect, it } from 'vitest';
import { findWholeRecords } from './whole-records.js';

const OFFSET = 512;

function record(body: Uint8Array, kind = 1): Buffer {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32LE(body.length, 0);
  bytes[8] = kind;
  bytes.set(body, 12);
  bytes.writeUInt32LE(crc32c(bytes, 8), 4);
  return bytes;
}

/** A frame's bytes at OFFSET of a file, of which only the records matter. */
function salvage(
  records: Buffer,
  options: { readonly count: number; readonly header: boolean; readonly frames?: number },
) {
  const padding = (8 - (records.length % 8)) % 8;
  const bytes = Buffer.concat([Buffer.alloc(OFFSET + FRAME_HEADER_BYTES), records, Buffer.alloc(padding)]);
  const file = {
    size: () => bytes.length,
    read: (into: Uint8Array, position: number) => bytes.copy(into, 0, position),
  } as LogFile;
  const window = new ReadWindow();
  window.use(file, bytes.length);
  const header = {
    type: FRAME_TYPE.records,
    recordsBytes: records.length,
    recordCount: options.count,
    salt: 0n,
    seq: 5,
    durableUpTo: 4,
    offset: OFFSET,
    recordsCrc: 0,
  };
  const { whole, lost, at } = findWholeRecords(window, {
    type: 'damage',
    offset: OFFSET,
    end: bytes.length,
    problem: '',
    firstSeq: 5,
    lastSeq: 5 + (options.frames ?? 1) - 1,
    header: options.header ? header : undefined,
    heldNoRecords: false,
  });
  return { whole: whole.map((place) => place - at - FRAME_HEADER_BYTES), lost };
}

const row = [
  record(Buffer.alloc(30, 1)),
  record(Buffer.alloc(50, 2)),
  record(Buffer.alloc(7, 3)),
  record(Buffer.alloc(20, 4)),
];
const STARTS = [0, 42, 104, 123];

function changed(at: number, value: number): Buffer {
  const bytes = Buffer.concat(row);
  bytes[at] = value;
  return bytes;
}

it('takes all but the one whose contents changed', () => {
  expect(salvage(changed(60, 9), { count: 4, header: true })).toEqual({ whole: [0, 104, 123], lost: 1 });
});

it('finds the row behind a record whose length changed', () => {
  for (const at of [42, 43, 44, 45]) {
    expect(salvage(changed(at, 77), { count: 4, header: true })).toEqual({ whole: [0, 104, 123], lost: 1 });
  }
});

it('takes the records of a frame without a header while they are whole, and knows when they fill it', () => {
  expect(salvage(Buffer.concat(row), { count: 4, header: false })).toEqual({ whole: STARTS, lost: 0 });
  expect(salvage(Buffer.concat(row), { count: 4, header: false, frames: 2 })).toEqual({
    whole: STARTS,
    lost: undefined,
  });
  expect(salvage(changed(60, 9), { count: 4, header: false })).toEqual({ whole: [0], lost: undefined });
});

it('never takes a record that a payload holds for one of the log', () => {
  const forged = record(Buffer.from('forged'), 3);
  const host = record(Buffer.concat([Buffer.alloc(10, 5), forged]));
  const behind = record(Buffer.alloc(9, 6));
  // The host's length is damaged so that it ends right in front of what its payload holds.
  const bytes = Buffer.concat([host, behind]);
  bytes.writeUInt32LE(10, 0);
  expect(salvage(bytes, { count: 2, header: true })).toEqual({ whole: [host.length], lost: 1 });
  // The host is the last one.
  const last = Buffer.concat([behind, host]);
  last.writeUInt32LE(10, behind.length);
  expect(salvage(last, { count: 2, header: true })).toEqual({ whole: [0], lost: 1 });
});

it('takes nothing where two rows would fit', () => {
  const inner = record(Buffer.alloc(5, 7));
  // Either the inner one or the outer one could be the last record of this frame.
  const outer = record(Buffer.concat([Buffer.alloc(3, 8), inner]));
  const first = record(Buffer.alloc(12, 9));
  const bytes = Buffer.concat([first, outer]);
  bytes[2] = 1;
  expect(salvage(bytes, { count: 2, header: true })).toEqual({ whole: [], lost: 2 });
});

it('takes nothing of zeros, and is not led astray by a length beyond the frame', () => {
  expect(salvage(Buffer.alloc(200), { count: 3, header: true })).toEqual({ whole: [], lost: 3 });
  expect(salvage(changed(3, 255), { count: 4, header: true })).toEqual({ whole: [42, 104, 123], lost: 1 });
});
