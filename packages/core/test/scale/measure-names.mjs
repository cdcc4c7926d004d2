// What very many names and queues cost: `node --expose-gc packages/core/test/scale/measure-names.mjs [names] [queues] [directory]`.
// Runs what is built.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';

const { inColumns } = await import(new URL('../../dist/engine/engine-jobs.js', import.meta.url).href);
const { LogEngine } = await import(new URL('../../dist/engine/log-engine.js', import.meta.url).href);
const { NodeFileSystem } = await import(new URL('../../dist/log/index.js', import.meta.url).href);
const { systemClock } = await import(new URL('../../dist/system-clock.js', import.meta.url).href);
const NAMES = Number(process.argv[2] ?? 300_000);
const QUEUES = Number(process.argv[3] ?? 100_000);
const BATCH = 1000;
const MIB = 2 ** 20;
const backoff = { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' };
const root = mkdtempSync(join(process.argv[4] ?? tmpdir(), 'holdfast-names-'));
const random = { fraction: Math.random, bytes: (/** @type {number} */ count) => new Uint8Array(randomBytes(count)) };
const engine = LogEngine.open({
  log: { directory: join(root, 'store'), segmentBytes: 64 * MIB },
  fileSystem: new NodeFileSystem(),
  clock: systemClock,
  random,
  retention: DEFAULT_RETENTION,
  onFatal: (/** @type {Error} */ failure) => {
    throw failure;
  },
  onLeasesDue: () => {},
});

/** @param {(done: (error: Error | undefined, answer: any) => void) => void} call */
function answerOf(call) {
  const answer = new Promise((resolve, reject) =>
    call((/** @type {any} */ error, /** @type {any} */ value) =>
      error === undefined ? resolve(value) : reject(error),
    ),
  );
  engine.endTurn();
  return answer;
}

/** @param {string[]} queues */
const claim = (queues) =>
  answerOf((done) => engine.claim({ queues, limit: BATCH, leaseMs: 60_000, waitMs: 0, worker: 'worker' }, done));

/** @param {number} count @param {(number: number) => { queue: string, name: string }} kind */
async function enqueueAll(count, kind) {
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) => from + index);
    const jobs = numbers.map((number) => ({
      shape: { ...kind(number), priority: 0, maxAttempts: 3, backoff },
      payload: '{}',
    }));
    await answerOf((done) => engine.enqueue(inColumns(jobs), done));
  }
}

/** @param {string[]} queues */
async function drain(queues) {
  for (let jobs = await claim(queues); jobs.length > 0; jobs = await claim(queues)) {
    await answerOf((done) => engine.ack(jobs, done));
  }
}

/** @param {() => unknown} act */
async function timed(act) {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}

/** @param {string} what */
function listing(what) {
  const parts = [];
  let after = '';
  for (let page = []; parts.length === 0 || page.length === BATCH; after = page.at(-1)?.name ?? '') {
    const before = process.cpuUsage();
    page = engine.queues(after, BATCH);
    const { user, system } = process.cpuUsage(before);
    parts.push((user + system) / 1000);
  }
  const sum = parts.reduce((total, ms) => total + ms, 0);
  const [first = 0, ...others] = parts;
  const most = Math.max(...others);
  return `queues, ${what}: ${sum.toFixed(0)} ms of processor time in ${parts.length} parts; ${first.toFixed(0)} the first, ${most.toFixed(1)} at most each other`;
}

function memory() {
  globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return `${((heapUsed + external) / MIB).toFixed(0)} MiB in use, ${(rss / MIB).toFixed(0)} MiB resident`;
}

console.log(`at first: ${memory()}`);
const inMs = await timed(() => enqueueAll(NAMES, (number) => ({ queue: 'names', name: `name-${number}` })));
console.log(`${NAMES} jobs of as many names: ${memory()}, enqueued in ${inMs.toFixed(0)} ms`);
const outMs = await timed(() => drain(['names']));
console.log(`claimed and acked in ${outMs.toFixed(0)} ms: ${memory()}`);
await claim(['names']);
console.log(`an empty claim takes ${(await timed(() => claim(['names']))).toFixed(2)} ms`);

const queues = Array.from({ length: QUEUES }, (_, number) => `queue-${number}`);
const queuesMs = await timed(() => enqueueAll(QUEUES, (number) => ({ queue: queues[number] ?? '', name: 'job' })));
console.log(`${QUEUES} jobs in as many queues: ${memory()}, enqueued in ${queuesMs.toFixed(0)} ms`);
console.log(listing('with a job each'));
const drainMs = await timed(async () => {
  for (let from = 0; from < QUEUES; from += BATCH) await drain(queues.slice(from, from + BATCH));
});
console.log(`claimed and acked in ${drainMs.toFixed(0)} ms: ${memory()}`);
console.log(listing('at rest again'));
await answerOf((done) => engine.close(() => done(undefined, undefined)));
rmSync(root, { recursive: true });
