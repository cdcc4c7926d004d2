// What a job that is claimed and acked costs the engine: `node packages/core/test/scale/measure-drain.mjs [directory] [jobs]`, after a build.
// Everything that the engine's thread does of it but for the messages themselves, on one thread; processor time, so that a busy machine shows
// less in it. The fastest of several parts of the drain is what the code takes where nothing disturbs it.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';

const { inColumns } = await import(new URL('../../dist/engine/engine-jobs.js', import.meta.url).href);
const { LogEngine } = await import(new URL('../../dist/engine/log-engine.js', import.meta.url).href);
const { jobCallHandlers } = await import(new URL('../../dist/host/job-call-handlers.js', import.meta.url).href);
const { NodeFileSystem } = await import(new URL('../../dist/log/index.js', import.meta.url).href);
const { systemClock } = await import(new URL('../../dist/system-clock.js', import.meta.url).href);
const JOBS = Number(process.argv[3] ?? 400_000);
const PER_ENQUEUE = 1000;
const PER_CLAIM = 100;
const PARTS = 20;
const PAYLOAD = JSON.stringify({ text: 'p'.repeat(88) });
const backoff = { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' };
const shape = { queue: 'measure', name: 'job', priority: 0, maxAttempts: 3, backoff };
const root = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'holdfast-drain-'));

const engine = LogEngine.open({
  log: { directory: join(root, 'store'), segmentBytes: 64 * 1024 * 1024 },
  fileSystem: new NodeFileSystem(),
  clock: systemClock,
  random: { fraction: Math.random, bytes: (/** @type {number} */ count) => new Uint8Array(randomBytes(count)) },
  retention: DEFAULT_RETENTION,
  compactionStepJobs: 0,
  onFatal: (/** @type {Error} */ failure) => {
    throw failure;
  },
  onLeasesDue: () => {},
});
const handlers = jobCallHandlers(engine, {
  monotonicMs: () => systemClock.monotonicMs(),
  applicationStallMsMax: () => 0,
  close: () => {},
});

async function enqueueAll() {
  const jobs = inColumns(Array.from({ length: PER_ENQUEUE }, () => ({ shape, payload: PAYLOAD })));
  for (let done = 0; done < JOBS; done += PER_ENQUEUE) {
    await new Promise((resolve, reject) => {
      engine.enqueue(jobs, (/** @type {Error | undefined} */ error) =>
        error === undefined ? resolve(0) : reject(error),
      );
      engine.endTurn();
    });
  }
}

function claimAndAck() {
  const claim = { queues: ['measure'], limit: PER_CLAIM, leaseMs: 30_000, waitMs: 0, worker: 'measure' };
  /** @type {any} */
  let batch;
  handlers.claim(claim, (/** @type {unknown} */ error, /** @type {any} */ answer) => {
    if (error !== undefined) throw error;
    batch = answer;
  });
  engine.endTurn();
  if (batch.ids.length !== PER_CLAIM) throw new Error(`claimed ${batch.ids.length} jobs instead of ${PER_CLAIM}`);
  handlers.ack({ ids: batch.ids, tokens: batch.tokens }, (/** @type {unknown} */ error) => {
    if (error !== undefined) throw error;
  });
  engine.endTurn();
}

try {
  await enqueueAll();
  const perPart = Math.floor(JOBS / PARTS / PER_CLAIM);
  const micros = Array.from({ length: PARTS }, () => {
    const before = process.cpuUsage();
    for (let turn = 0; turn < perPart; turn++) claimAndAck();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / (perPart * PER_CLAIM);
  });
  // The first quarter is still being compiled.
  const sorted = micros.slice(PARTS / 4).sort((one, other) => one - other);
  const [fastest] = sorted;
  const middle = sorted[Math.floor(sorted.length / 2)];
  console.log(
    `${fastest?.toFixed(2)} µs of processor time a job where it is fastest, ${middle?.toFixed(2)} µs at the median`,
  );
} finally {
  await new Promise((resolve) => {
    engine.close(() => resolve(0));
    engine.endTurn();
  });
  rmSync(root, { recursive: true, force: true });
}
