import type { JobStore } from '@holdfast/contract';
import type { Measurement } from './measurement.js';

export interface BenchCase {
  readonly name: string;
  /** What is measured, in the words of the results page. */
  readonly title: string;
  /** Measures `jobs` jobs on a store that has been warmed up with some hundred. */
  run(store: JobStore, jobs: number): Promise<Measurement>;
  /** Jobs of a full run. */
  readonly jobs: number;
}

/** Runs `work` and tells how long it took and what the log wrote for it. */
export async function measure(
  store: JobStore,
  jobs: number,
  work: () => Promise<readonly number[] | undefined>,
): Promise<Measurement> {
  const before = await diskWork(store);
  const start = performance.now();
  const latenciesMs = await work();
  const seconds = (performance.now() - start) / 1000;
  const after = await diskWork(store);
  return {
    jobs,
    seconds,
    ...(latenciesMs === undefined ? {} : { latenciesMs }),
    writes: after.writes - before.writes,
    syncs: after.syncs - before.syncs,
    bytes: after.bytes - before.bytes,
  };
}

async function diskWork(store: JobStore): Promise<{ writes: number; syncs: number; bytes: number }> {
  const { totals, syncLatency } = await store.metrics();
  const syncs = syncLatency.reduce((sum, point) => sum + point.count, 0);
  return { writes: totals.commits, syncs, bytes: totals.bytesWritten };
}
