// A process that holds a log: `node lock-holder.mjs <directory> <hold|end>`. Prints "open" once it has it.
// It runs what is built, because a plain process cannot run the sources.
import { randomBytes } from 'node:crypto';

const { NodeFileSystem, SegmentedLog } = await import(new URL('../../dist/log/index.js', import.meta.url).href);
const [directory, mode] = process.argv.slice(2);

const log = SegmentedLog.open(
  {
    directory,
    fileSystem: new NodeFileSystem(),
    random: { fraction: Math.random, bytes: (/** @type {number} */ count) => new Uint8Array(randomBytes(count)) },
    now: Date.now,
    monotonicMs: () => performance.now(),
    segmentBytes: 1 << 20,
  },
  { record: () => {}, nextId: () => 1 },
);

/** Commits one record through the sync thread. @param {() => void} then */
function commit(then) {
  const { buffer, offset } = log.reserve(1, 4);
  buffer.set([1, 2, 3, 4], offset);
  log.write(1);
  log.sync((/** @type {Error | undefined} */ error) => {
    if (error !== undefined) throw error;
    then();
  });
}

if (mode === 'hold') {
  setInterval(() => {}, 1000);
  commit(() => console.log('open'));
} else {
  // Enough commits that the thread runs; nothing but it could keep the process alive after the last one.
  let left = 200;
  const next = () => {
    if (left-- > 0) commit(next);
    else console.log('open');
  };
  next();
}
