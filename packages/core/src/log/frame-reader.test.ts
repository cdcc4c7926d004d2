import { expect, it } from 'vitest';
import { SeededRandom } from '../../test/sim/seeded-random.js';
import { SimDisk } from '../../test/sim/sim-disk.js';
import { SimFileSystem } from '../../test/sim/sim-file-system.js';
import { crc32c } from './crc32c.js';
import { encodeFrameHeader, FRAME_HEADER_BYTES, FRAME_TYPE, type FrameHeader, frameBytes } from './frame-codec.js';
import { FrameReader, findEvidence } from './frame-reader.js';
import { ReadWindow } from './read-window.js';

const SALT = 77n;
const FIRST_SEQ = 5;

type Given = Partial<FrameHeader> & { readonly padding?: number };

/** A segment's frames behind each other, valid but for what is given. */
function makeFile(frames: readonly Given[]) {
  const system = new SimFileSystem(new SimDisk(), new SeededRandom(1));
  system.createDirectory('/log');
  const file = system.open('/log/file', 'create');
  let position = 256;
  frames.forEach((given, index) => {
    const bytes = makeFrame(index, position, given);
    file.write(bytes, position);
    position += bytes.length;
  });
  return { file, size: position };
}

function makeFrame(index: number, offset: number, { padding = 0, ...given }: Given): Uint8Array {
  const isRecords = (given.type ?? FRAME_TYPE.records) === FRAME_TYPE.records;
  const recordsBytes = isRecords ? 13 : 0;
  const bytes = new Uint8Array(frameBytes(recordsBytes)).fill(padding, FRAME_HEADER_BYTES + recordsBytes);
  bytes.fill(9, FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + recordsBytes);
  const recordsCrc = isRecords ? crc32c(bytes, FRAME_HEADER_BYTES, FRAME_HEADER_BYTES + recordsBytes) : 0;
  const numbers = { salt: SALT, seq: FIRST_SEQ + index, durableUpTo: 0, offset, recordsCrc };
  const header = { type: FRAME_TYPE.records, recordsBytes, recordCount: isRecords ? 1 : 0, ...numbers, ...given };
  encodeFrameHeader(bytes, new DataView(bytes.buffer), 0, header);
  return bytes;
}

function read(frames: readonly Given[]) {
  const { file } = makeFile(frames);
  const window = new ReadWindow();
  const reader = new FrameReader(file, window, { salt: SALT, firstSeq: FIRST_SEQ });
  let count = 0;
  while (reader.next() !== undefined) count++;
  return { count, problem: reader.problem, position: reader.position, window };
}

it('reads frames of all types to the end of the file', () => {
  const found = read([{}, { type: FRAME_TYPE.idle }, {}, { type: FRAME_TYPE.close }, { type: FRAME_TYPE.seal }]);
  expect(found).toMatchObject({ count: 5, problem: undefined, position: 256 + 2 * 80 + 3 * 64 });
});

it.each<[string, Given[], string]>([
  ['of another file', [{}, { salt: 78n }], 'another file'],
  ['of another place', [{}, { offset: 256 }], 'another place'],
  ['out of order', [{}, { seq: FIRST_SEQ }], 'out of order'],
  ['behind a SEAL', [{ type: FRAME_TYPE.seal }, {}], 'follows the end of the segment'],
  ['behind a CLOSE', [{ type: FRAME_TYPE.close }, {}], 'follows the end of the log'],
  ['with other records', [{}, { recordsCrc: 1 }], 'do not match'],
  ['with something in its padding', [{}, { padding: 1 }], 'padding'],
])('stops at a frame %s', (_what, frames, problem) => {
  const found = read(frames);
  expect(found.count).toBe(1);
  expect(found.problem).toContain(problem);
});

it('compares a length with the file before it makes room for it', () => {
  const found = read([{}, { recordsBytes: 60 * 1024 * 1024, recordsCrc: 0 }]);
  expect(found).toMatchObject({ count: 1, problem: 'a frame is cut off' });
  expect(found.window.buffer.length).toBeLessThan(1024 * 1024);
});

it.each<[string, Given, boolean]>([
  ['a frame written after the sync', { durableUpTo: FIRST_SEQ + 1 }, true],
  ['a frame written before the sync', { durableUpTo: FIRST_SEQ }, false],
  ['a frame of another file', { durableUpTo: FIRST_SEQ + 1, salt: 78n }, false],
  ['a frame of another place', { durableUpTo: FIRST_SEQ + 1, offset: 8 }, false],
])('takes %s for what it proves', (_what, later, proves) => {
  const { file, size } = makeFile([{}, { recordsCrc: 1 }, later]);
  const window = new ReadWindow();
  const reader = new FrameReader(file, window, { salt: SALT, firstSeq: FIRST_SEQ });
  while (reader.next() !== undefined);
  const { position, nextSeq: seq } = reader;
  expect(findEvidence(window, { salt: SALT, position, dataEnd: size, seq })).toBe(proves ? 256 + 160 : undefined);
});
