import type { BenchCase, BenchRun } from '../bench-case.js';
import { times } from '../goals.js';
import { drainAll, enqueueInBulk, throughput, WARM_UP_JOBS } from '../measure.js';
import type { Metrics } from '../metrics.js';

const CONCURRENCY = 100;
/** For the warm-up, and for what a worker had claimed already when the last job that counts was handled. */
const SPARE_JOBS = WARM_UP_JOBS + 3000;

/** A worker with a handler that does nothing claims and acks jobs that wait already. */
export const drain: BenchCase = {
  name: 'drain',
  title: 'claim + ack, no-op handler, concurrency 100',
  peers: ['holdfast', 'sqlite'],
  jobs: 100_000,
  goals: [{ title: 'drain / SQLite', atLeast: 3, figure: times('jobsPerSecond', 'sqlite') }],
  run: measureDrain,
};

/** Acks wait for no fsync: here it shows. */
export const drainOnSlowDisk: BenchCase = {
  name: 'drain-slow-disk',
  title: 'the same, each fsync 1 ms longer',
  peers: ['holdfast', 'sqlite'],
  jobs: 50_000,
  syncDelayMs: 1,
  goals: [{ title: 'drain, fsync + 1 ms / SQLite', atLeast: 6, figure: times('jobsPerSecond', 'sqlite') }],
  run: measureDrain,
};

async function measureDrain({ open, jobs }: BenchRun): Promise<Metrics> {
  const peer = await open();
  await enqueueInBulk(peer, jobs + SPARE_JOBS);
  const metrics = await throughput(jobs, (count) => drainAll(peer, count, CONCURRENCY));
  await peer.close();
  return metrics;
}
