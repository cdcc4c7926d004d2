// What compaction costs and frees on this disk: `node packages/core/test/log/measure-compaction.mjs [directory] [jobs]`.
// The same jobs go through an engine with compaction and one without. Runs what is built.

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';

const { inColumns } = await import(new URL('../../dist/engine/engine-jobs.js', import.meta.url).href);
const { LogEngine } = await import(new URL('../../dist/engine/log-engine.js', import.meta.url).href);
const { NodeFileSystem } = await import(new URL('../../dist/log/index.js', import.meta.url).href);
const { systemClock } = await import(new URL('../../dist/system-clock.js', import.meta.url).href);
const JOBS = Number(process.argv[3] ?? 200_000);
const IN_FLIGHT = 100;
const SEGMENT_BYTES = 1024 * 1024;
const PAYLOAD = JSON.stringify({ text: 'p'.repeat(150) });
const MIB = 2 ** 20;
const backoff = { kind: 'fixed', baseMs: 1000, maxMs: 1000, jitter: 'none' };
const shape = { queue: 'measure', name: 'job', priority: 0, maxAttempts: 3, backoff };
const error = { class: 'Error', message: 'one in twenty fails' };
const root = mkdtempSync(join(process.argv[2] ?? tmpdir(), 'holdfast-compaction-'));
const random = { fraction: Math.random, bytes: (/** @type {number} */ count) => new Uint8Array(randomBytes(count)) };

/** @param {string} name @param {boolean} compacts */
function open(name, compacts) {
  return LogEngine.open({
    log: { directory: join(root, name), segmentBytes: SEGMENT_BYTES },
    fileSystem: new NodeFileSystem(),
    clock: systemClock,
    random,
    retention: DEFAULT_RETENTION,
    ...(compacts ? {} : { compactionStepJobs: 0 }),
    onFatal: (/** @type {Error} */ failure) => {
      throw failure;
    },
    onLeasesDue: () => {},
  });
}

/** @param {any} engine */
function sizes(engine) {
  const { segments, bytes, compaction } = engine.storage();
  const live = segments.reduce((/** @type {number} */ sum, /** @type {any} */ one) => sum + one.liveBytes, 0);
  return { live, bytes, compaction };
}

/** Enqueues one by one, so many in flight, while what is ready is claimed and acked; one in twenty dies. @param {any} engine */
async function work(engine) {
  /** @type {number[]} */
  const tookMs = [];
  let turnWanted = false;
  let started = 0;
  let over = 0;
  let mostSegments = 0;
  const endTurn = () => {
    if (turnWanted) return;
    turnWanted = true;
    setImmediate(() => {
      turnWanted = false;
      engine.endTurn();
    });
  };
  await new Promise((resolve) => {
    const enqueue = () => {
      if (started === JOBS) return;
      started++;
      const startMs = performance.now();
      engine.enqueue(inColumns([{ shape, payload: PAYLOAD }]), () => {
        tookMs.push(performance.now() - startMs);
        if (tookMs.length % 1000 === 0) {
          const { live, bytes } = sizes(engine);
          mostSegments = Math.max(mostSegments, (bytes - 2 * live) / SEGMENT_BYTES);
        }
        enqueue();
      });
      endTurn();
    };
    const claim = () => {
      const request = { queues: ['measure'], limit: 100, leaseMs: 30_000, waitMs: 1000, worker: 'worker' };
      engine.claim(request, (/** @type {Error | undefined} */ problem, /** @type {any[]} */ jobs) => {
        if (problem !== undefined) return;
        // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
        const dead = jobs.filter(({ id }) => id % 20 === 0).map((job) => ({ ...job, error, then: 'dead' }));
        engine.fail(dead, () => {});
        engine.ack(
          jobs.filter(({ id }) => id % 20 !== 0),
          () => {},
        );
        over += jobs.length;
        if (over === JOBS) resolve(undefined);
        else claim();
        endTurn();
      });
      endTurn();
    };
    for (let index = 0; index < IN_FLIGHT; index++) enqueue();
    claim();
  });
  tookMs.sort((a, b) => a - b);
  return { tookMs, mostSegments };
}

for (const [name, compacts] of /** @type {const} */ ([
  ['without, first', false],
  ['with, first', true],
  ['without, again', false],
  ['with, again', true],
])) {
  const engine = open(name, compacts);
  const startMs = performance.now();
  const { tookMs, mostSegments } = await work(engine);
  const seconds = (performance.now() - startMs) / 1000;
  do await new Promise((resolve) => setTimeout(resolve, 50));
  while (engine.storage().compaction.running);
  const restMs = performance.now() - startMs - seconds * 1000;
  const { live, bytes, compaction } = sizes(engine);
  const [p50, p99, p999] = [0.5, 0.99, 0.999].map((part) => tookMs[Math.floor(tookMs.length * part)]?.toFixed(2));
  console.log(
    `${name}: ${JOBS} jobs in ${seconds.toFixed(1)} s; enqueue p50 ${p50} ms, p99 ${p99} ms, p99.9 ${p999} ms; ` +
      `live ${(live / MIB).toFixed(2)} MiB, on disk ${(bytes / MIB).toFixed(2)} MiB, at most 2 × live + ${mostSegments.toFixed(1)} segments; ` +
      `${compaction.movedJobs} jobs written again (${(compaction.movedBytes / MIB).toFixed(1)} MiB), ${(compaction.freedBytes / MIB).toFixed(1)} MiB freed, at rest after ${restMs.toFixed(0)} ms`,
  );
  await new Promise((resolve) => {
    engine.close(() => resolve(undefined));
    engine.endTurn();
  });
}
rmSync(root, { recursive: true });
