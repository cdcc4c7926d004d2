// What the log costs on this disk, beside bare calls that do the same: `node packages/core/test/log/measure-log.mjs [directory]`.
// Runs what is built.
import { randomBytes } from 'node:crypto';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const { crc32c, NodeFileSystem, SegmentedLog } = await import(new URL('../../dist/log/index.js', import.meta.url).href);
const LONE_COMMITS = 3000;
const FRAMES = 1500;
const FRAME_RECORDS = 1000;
const BODY = Uint8Array.from({ length: 160 }, (_, index) => index * 7);
const FRAME_BYTES = 64 + FRAME_RECORDS * (12 + BODY.length);

const root = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'holdfast-measure-'));

function open(/** @type {string} */ name) {
  const random = { fraction: Math.random, bytes: (/** @type {number} */ count) => new Uint8Array(randomBytes(count)) };
  const options = { directory: join(root, name), fileSystem: new NodeFileSystem(), random, now: Date.now };
  const all = { ...options, monotonicMs: () => performance.now(), segmentBytes: 64 * 1024 * 1024 };
  return SegmentedLog.open(all, { record: () => {}, nextId: () => 1 });
}

/** @param {any} log @param {number} records */
function writeFrame(log, records) {
  for (let index = 0; index < records; index++) {
    const { buffer, offset } = log.reserve(1, BODY.length);
    buffer.set(BODY, offset);
  }
  log.write(1);
}

/** @type {Record<string, (log: any) => unknown>} */
const SYNCS = {
  'on this thread': (log) => log.syncNow(),
  'on the sync thread': (log) => new Promise((resolve) => log.sync(resolve)),
  never: () => {},
};

/** @param {number} bytes @param {number} startMs */
function rate(bytes, startMs) {
  return `${(bytes / 1000 / (performance.now() - startMs)).toFixed(0)} MB/s`;
}

for (const [where, sync] of Object.entries(SYNCS)) {
  const log = open('lone');
  /** @type {number[]} */
  const tookMs = [];
  for (let commit = 0; commit < LONE_COMMITS; commit++) {
    const startMs = performance.now();
    writeFrame(log, 1);
    await sync(log);
    tookMs.push(performance.now() - startMs);
    await new Promise(setImmediate);
  }
  tookMs.sort((a, b) => a - b);
  const [p50, p99] = [0.5, 0.99].map((part) => tookMs[Math.floor(LONE_COMMITS * part)]?.toFixed(3));
  console.log(`a lone commit of 160 bytes, synced ${where}: p50 ${p50} ms, p99 ${p99} ms`);
  log.close();
}

for (const [where, sync] of Object.entries(SYNCS)) {
  const log = open(where);
  const startMs = performance.now();
  for (let frame = 0; frame < FRAMES; frame++) {
    writeFrame(log, FRAME_RECORDS);
    await sync(log);
  }
  console.log(`frames of 1,000 records of 160 bytes, synced ${where}: ${rate(FRAMES * FRAME_BYTES, startMs)}`);
  log.close();
}

function measureBareWrites() {
  const descriptor = openSync(join(root, 'bare'), 'w');
  const bytes = new Uint8Array(FRAME_BYTES);
  const startMs = performance.now();
  for (let frame = 0; frame < FRAMES; frame++) {
    writeSync(descriptor, bytes, 0, bytes.length, frame * FRAME_BYTES);
    fdatasyncSync(descriptor);
  }
  console.log(`bare write + fdatasync of the same bytes: ${rate(FRAMES * FRAME_BYTES, startMs)}`);
  closeSync(descriptor);
}

/** @param {string} directory */
function measureBareReads(directory) {
  const buffer = new Uint8Array(512 * 1024);
  let bytes = 0;
  const startMs = performance.now();
  for (const name of readdirSync(directory).filter((entry) => entry.endsWith('.segment'))) {
    const descriptor = openSync(join(directory, name), 'r');
    for (let count = 1; count > 0; bytes += count) {
      count = readSync(descriptor, buffer, 0, buffer.length, null);
      crc32c(buffer, 0, count);
    }
    closeSync(descriptor);
  }
  console.log(`bare read + CRC of the same files: ${rate(bytes, startMs)}`);
}

measureBareWrites();
for (let round = 0; round < 2; round++) {
  measureBareReads(join(root, 'never'));
  const startMs = performance.now();
  const log = open('never');
  const { kind, records, bytesRead } = log.recovery;
  console.log(`open of a log (${kind}) with ${records} records: ${rate(bytesRead, startMs)}`);
  // The second round opens after an end without CLOSE, and so copies the tail.
  writeFrame(log, 1);
  log.abandon();
}
rmSync(root, { recursive: true });
