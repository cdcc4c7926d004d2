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
  const before = (await store.metrics()).totals;
  const start = performance.now();
  const latenciesMs = await work();
  const seconds = (performance.now() - start) / 1000;
  const after = (await store.metrics()).totals;
  return {
    jobs,
    seconds,
    ...(latenciesMs === undefined ? {} : { latenciesMs }),
    commits: Math.max(1, after.commits - before.commits),
    bytes: after.bytesWritten - before.bytesWritten,
  };
}
