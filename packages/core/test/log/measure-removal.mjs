// node packages/core/test/log/measure-removal.mjs [directory] [MiB] [runs]: how long a file system keeps a thread to rename and to remove a file as large as a segment.
import { closeSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [parent = tmpdir(), mebibytes = '64', runs = '7'] = process.argv.slice(2);
const directory = mkdtempSync(join(parent, 'holdfast-removal-'));
const block = Buffer.alloc(1024 * 1024, 1);
/** @type {number[]} */
const renames = [];
/** @type {number[]} */
const removals = [];

/** @param {() => void} call */
function timed(call) {
  const startMs = performance.now();
  call();
  return performance.now() - startMs;
}

/** @param {number[]} values */
function median(values) {
  const middle = values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
  return middle.toFixed(2);
}

try {
  for (let run = 0; run < Number(runs); run++) {
    const file = join(directory, 'segment');
    const descriptor = openSync(file, 'w');
    for (let written = 0; written < Number(mebibytes); written++) writeSync(descriptor, block);
    fsyncSync(descriptor);
    closeSync(descriptor);
    renames.push(timed(() => renameSync(file, `${file}.gone`)));
    removals.push(timed(() => unlinkSync(`${file}.gone`)));
  }
} finally {
  rmSync(directory, { recursive: true });
}
console.log(`${mebibytes} MiB, medians of ${runs}: rename ${median(renames)} ms, remove ${median(removals)} ms`);
