// Makes the directory of a format version: `node packages/core/test/log/make-golden.mjs v1`. Run once for each released
// version, with the code of that version built; the result is never made again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const { NodeFileSystem, SegmentedLog } = await import(new URL('../../dist/log/index.js', import.meta.url).href);
const directory = join(import.meta.dirname, '..', 'golden', process.argv[2] ?? '');
if (process.argv[2] === undefined || existsSync(directory)) throw new Error('Name a new directory.');

let state = 1;
function nextByte() {
  state = (state * 75 + 74) % 65537;
  return state & 255;
}

const random = {
  fraction: () => 0.5,
  bytes: (/** @type {number} */ count) => Uint8Array.from({ length: count }, nextByte),
};

function open() {
  return SegmentedLog.open(
    {
      directory,
      fileSystem: new NodeFileSystem(),
      random,
      now: () => 1_790_000_000_000,
      monotonicMs: () => 0,
      segmentBytes: 1000,
    },
    { record: () => {}, nextId: () => 1 },
  );
}

/** A frame of records with the kinds 1 to `count`, filled with their kind; the last one has the skippable flag. */
function writeFrame(/** @type {any} */ log, /** @type {number} */ count) {
  for (let kind = 1; kind <= count; kind++) {
    const { buffer, offset, bodyBytes } = log.reserve(kind, kind * 30, kind === count ? 1 : 0);
    buffer.fill(kind, offset, offset + bodyBytes);
  }
  log.write(100 + count);
}

// Three segments of a first run with all types of frames, closed in order; then a run that was cut off.
const first = open();
for (const count of [1, 5, 6, 2, 7]) {
  writeFrame(first, count);
  first.syncNow();
}
first.writeIdle();
first.close();
const second = open();
writeFrame(second, 3);
second.syncNow();
writeFrame(second, 4);
second.abandon();
