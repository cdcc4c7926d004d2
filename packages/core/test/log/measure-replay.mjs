// How long an open takes to replay a log, and in which functions: `node packages/core/test/log/measure-replay.mjs [directory] [jobs]`.
// Half of the jobs are completed. Runs what is built, all on one thread.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';

const { inColumns } = await import(new URL('../../dist/engine/engine-jobs.js', import.meta.url).href);
const { LogEngine } = await import(new URL('../../dist/engine/log-engine.js', import.meta.url).href);
const { NodeFileSystem } = await import(new URL('../../dist/log/index.js', import.meta.url).href);
const { systemClock } = await import(new URL('../../dist/system-clock.js', import.meta.url).href);
const JOBS = Number(process.argv[3] ?? 200_000);
const PER_CALL = 1000;
const PER_CLAIM = 100;
const OPENS = 5;
const SHOWN = 12;
const PAYLOAD = JSON.stringify({ text: 'p'.repeat(88) });
const backoff = { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' };
const shape = { queue: 'measure', name: 'job', priority: 0, maxAttempts: 3, backoff };
const root = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'holdfast-replay-'));
const directory = join(root, 'store');
const random = { fraction: Math.random, bytes: (/** @type {number} */ count) => new Uint8Array(randomBytes(count)) };

function open() {
  return LogEngine.open({
    log: { directory, segmentBytes: 64 * 1024 * 1024 },
    fileSystem: new NodeFileSystem(),
    clock: systemClock,
    random,
    retention: DEFAULT_RETENTION,
    compactionStepJobs: 0,
    onFatal: (/** @type {Error} */ failure) => {
      throw failure;
    },
    onLeasesDue: () => {},
  });
}

/** @param {any} engine @param {(done: (error: Error | undefined, answer: any) => void) => void} start @returns {Promise<any>} */
function call(engine, start) {
  const answered = new Promise((resolve, reject) => {
    start((error, answer) => (error === undefined ? resolve(answer) : reject(error)));
  });
  engine.endTurn();
  return answered;
}

/** @param {any} engine */
async function fill(engine) {
  const jobs = inColumns(Array.from({ length: PER_CALL }, () => ({ shape, payload: PAYLOAD })));
  for (let made = 0; made < JOBS; made += PER_CALL) await call(engine, (done) => engine.enqueue(jobs, done));
  const request = { queues: ['measure'], limit: PER_CLAIM, leaseMs: 30_000, waitMs: 0, worker: 'worker' };
  for (let over = 0; over < JOBS / 2; over += PER_CLAIM) {
    const claimed = await call(engine, (done) => engine.claim(request, done));
    await call(engine, (done) => engine.ack(claimed, done));
  }
}

/** @param {any} engine */
function close(engine) {
  return call(engine, (done) => engine.close(() => done(undefined, undefined)));
}

/** Time of each function itself, in milliseconds, the longest first. @param {import('node:inspector').Profiler.Profile} profile */
function selfTimes({ nodes, samples = [], timeDeltas = [] }) {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url } }) => [id, `${functionName} (${basename(url)})`]),
  );
  /** @type {Map<string, number>} */
  const times = new Map();
  samples.forEach((id, index) => {
    const name = names.get(id) ?? '';
    times.set(name, (times.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1000);
  });
  return [...times].sort(([, one], [, other]) => other - one);
}

const first = open();
await fill(first);
await close(first);
const bytes = readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
console.log(`${JOBS} jobs, half of them completed, ${(bytes / 1e6).toFixed(0)} MB`);
const session = new Session();
session.connect();
await session.post('Profiler.enable');
for (let turn = 0; turn < OPENS; turn++) {
  const isLast = turn === OPENS - 1;
  if (isLast) await session.post('Profiler.start');
  const before = process.cpuUsage();
  const engine = open();
  const { user, system } = process.cpuUsage(before);
  const { recordsReplayed, tookMs } = engine.storage().recovery;
  console.log(
    `open: ${recordsReplayed} records in ${tookMs.toFixed(0)} ms, ${((user + system) / JOBS).toFixed(2)} µs of processor time a job${isLast ? ', profiled' : ''}`,
  );
  if (isLast) {
    const { profile } = await session.post('Profiler.stop');
    const times = selfTimes(profile);
    const all = times.reduce((sum, [, ms]) => sum + ms, 0);
    for (const [name, ms] of times.slice(0, SHOWN))
      console.log(`${((100 * ms) / all).toFixed(1).padStart(5)} %  ${name}`);
  }
  await close(engine);
}
rmSync(root, { recursive: true });
