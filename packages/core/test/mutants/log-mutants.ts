import type { CatchingTest, Mutant } from './mutant.js';

const LOG = 'packages/core/src/log';

const segmentedLog = (title: string): CatchingTest => ({ file: `${LOG}/segmented-log.test.ts`, title });
const flippedBits: CatchingTest = {
  file: 'packages/core/test/log/damage.test.ts',
  title: 'refuses a flipped bit, or cuts it off where nothing proves the commit',
  within: 'a log that was closed in order',
};

/** What is on the disk, and when it is taken for whole. */
export const LOG_MUTANTS: readonly Mutant[] = [
  {
    name: 'sum-of-zlib',
    mistake: 'The checksum is the one of zlib, not CRC-32C.',
    file: `${LOG}/crc32c.ts`,
    text: '0x82f63b78',
    replacement: '0xedb88320',
    caughtBy: { file: `${LOG}/crc32c.test.ts`, title: 'is CRC-32C: Castagnoli, not the sum of zlib' },
  },
  {
    name: 'frame-sum-skipped',
    mistake: 'The checksum over the records of a frame is not compared.',
    file: `${LOG}/frame-reader.ts`,
    text: "if (crc32c(window.buffer, start, end) !== header.recordsCrc) return 'records do not match their checksum';",
    replacement: '',
    caughtBy: flippedBits,
  },
  {
    name: 'header-sum-skipped',
    mistake: 'The checksum of a frame header is not compared.',
    file: `${LOG}/frame-codec.ts`,
    text: 'if (frameHeaderCrc(view, at) !== crc32c(bytes, at, at + HEADER_CRC_AT, 0, view)) return undefined;',
    replacement: '',
    caughtBy: flippedBits,
  },
  {
    name: 'segment-sum-skipped',
    mistake: 'The checksum of a segment header is not compared.',
    file: `${LOG}/segment-header.ts`,
    text: 'if (view.getUint32(HEADER_CRC_AT, true) !== crc32c(bytes, 0, HEADER_CRC_AT)) {',
    replacement: 'if (bytes.length === 0) {',
    caughtBy: {
      file: `${LOG}/segment-header.test.ts`,
      title: 'refuses a header whose segmentNumber (byte 40) changed',
    },
  },
  {
    name: 'record-sum-skipped',
    mistake: 'A single record is handed out without a look at its checksum.',
    file: `${LOG}/record-reader.ts`,
    text: '!recordMatches(bytes, view, at, cursor.recordBytes)',
    replacement: 'false',
    caughtBy: segmentedLog('refuses to read a record that changed, or that was never there'),
  },
  {
    name: 'length-trusted',
    mistake: 'Room is made for the length that a frame header names, without a look at the size of the file.',
    file: `${LOG}/frame-reader.ts`,
    text: "if (bytes > this.#size - this.position) return 'a frame is cut off';",
    replacement: '',
    caughtBy: {
      file: `${LOG}/frame-reader.test.ts`,
      title: 'compares a length with the file before it makes room for it',
    },
  },
  {
    name: 'record-length-trusted',
    mistake: 'A record may be longer than its frame.',
    file: `${LOG}/record-codec.ts`,
    text: "if (cursor.recordBytes > end - at) return { at, problem: 'a record is longer than its frame' };",
    replacement: '',
    caughtBy: {
      file: `${LOG}/record-codec.test.ts`,
      title: 'reports a length beyond the frame before anything of that size is touched',
    },
  },
  {
    name: 'cut-despite-proof',
    mistake: 'A log is cut at its first bad frame although a later one proves that it had been durable.',
    file: `${LOG}/log-examination.ts`,
    text: 'if (proof === undefined) return;',
    replacement: 'if (proof !== -1) return;',
    caughtBy: flippedBits,
  },
  {
    name: 'proof-overlooked-once',
    mistake: 'The last commit that a frame proves is not taken for proven.',
    file: `${LOG}/frame-reader.ts`,
    text: 'if (header.durableUpTo >= tail.seq) return position;',
    replacement: 'if (header.durableUpTo > tail.seq) return position;',
    caughtBy: flippedBits,
  },
  {
    name: 'payload-is-proof',
    mistake: 'A frame that lies inside of a payload is taken for proof.',
    file: `${LOG}/frame-reader.ts`,
    text: ' || header.offset !== position) continue;',
    replacement: ') continue;',
    caughtBy: segmentedLog('takes no payload for a frame, whatever it holds'),
  },
  {
    name: 'proof-claimed-early',
    mistake: 'A frame says of all frames before it that they are durable, although no sync has ended since.',
    file: `${LOG}/segmented-log.ts`,
    text: 'durableUpTo: this.#durableSeq, offset };',
    replacement: 'durableUpTo: this.#writtenSeq, offset };',
    caughtBy: {
      file: 'packages/core/test/sim/crash.test.ts',
      title: 'loses nothing durable and never takes a crash for damage',
    },
  },
  {
    name: 'segment-unchained',
    mistake: 'That a segment is missing in the middle is not noticed.',
    file: `${LOG}/segment-chain.ts`,
    text: 'if (header.segmentNumber !== expected) {',
    replacement: 'if (header.segmentNumber < expected) {',
    caughtBy: segmentedLog('refuses a log of which a segment is missing, at the front, in the middle or at the end'),
  },
  {
    name: 'end-unchecked',
    mistake: 'That the segment after a sealed one is missing is not noticed.',
    file: `${LOG}/log-examination.ts`,
    text: 'if (!hasUnusedSuccessor) {',
    replacement: 'if (position < 0) {',
    caughtBy: segmentedLog('refuses a log of which a segment is missing, at the front, in the middle or at the end'),
  },
  {
    name: 'foreign-segment-taken',
    mistake: 'A segment of another store is read along.',
    file: `${LOG}/segment-chain.ts`,
    text: 'if (!header.storeId.every((byte, index) => byte === first.storeId[index])) {',
    replacement: 'if (first.storeId.length === 0) {',
    caughtBy: segmentedLog('refuses a segment of another store, of a newer version, or that is a folder'),
  },
  {
    name: 'retired-read-again',
    mistake: 'Segments that were retired and came back after a crash are read again.',
    file: `${LOG}/log-examination.ts`,
    text: 'found.header.segmentNumber >= minSegment',
    replacement: 'minSegment >= 0',
    caughtBy: segmentedLog('ignores and removes segments below the lowest that still counts'),
  },
  {
    name: 'gap-taken-for-end',
    mistake: 'Where no frame begins the log ends, whatever lies behind.',
    file: `${LOG}/log-examination.ts`,
    text: 'if (position >= dataEnd) return;',
    replacement: "if (position >= dataEnd || reader.problem === 'there is no frame header') return;",
    caughtBy: segmentedLog('refuses zeros where a commit had been durable, when a later frame proves it'),
  },
  {
    name: 'room-left-behind-the-seal',
    mistake: 'What was written ahead stays behind the last frame of a segment.',
    file: `${LOG}/segment-writer.ts`,
    text: 'if (this.#roomEnd > this.end) this.#cutRoom();',
    replacement: '',
    caughtBy: segmentedLog(
      'writes zeros behind small frames, ahead of what comes, and leaves none behind a SEAL or a CLOSE',
    ),
  },
  {
    name: 'refused-room-forgotten',
    mistake: 'A disk that refused to write ahead is taken to have written nothing.',
    file: `${LOG}/segment-writer.ts`,
    text: 'this.#roomEnd = this.end + wanted;',
    replacement: 'this.#roomEnd = this.end;',
    caughtBy: {
      file: `${LOG}/segment-writer.test.ts`,
      title: 'asks a disk that has no room once, and cuts off what that may have left',
    },
  },
  {
    name: 'cut-not-made-again',
    mistake: 'A cut whose sync failed is taken for durable.',
    file: `${LOG}/recovery.ts`,
    text: 'file.truncate(seal.offset + FRAME_HEADER_BYTES);',
    replacement: '',
    caughtBy: segmentedLog('cuts zeros off again where the sync after the first cut failed'),
  },
  {
    name: 'room-remembered',
    mistake: 'Zeros that were read behind the end of the log are handed out where records were written since.',
    file: `${LOG}/read-ahead.ts`,
    text: 'Math.min(PIECE_BYTES, writtenEnd - offset)',
    replacement: 'PIECE_BYTES',
    caughtBy: {
      file: `${LOG}/read-ahead.test.ts`,
      title: 'remembers nothing behind the end of what was written, where zeros may stand for what is to come',
    },
  },
];
