import type { JobStore } from '@holdfast/contract';
import { type ProcessorTime, processorTime } from '../processor-time.js';
import { percentile } from '../statistics.js';

/** What a fixed number of jobs a second took: the processor's time, and each caller's. */
export interface OfferedFigures {
  readonly jobs: number;
  /** Until the last was answered. */
  readonly tookMs: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of this process alone, all its threads, also of what it does for dashboards. */
  readonly processorUs: number;
  /** Of the application's own thread; absent where the system does not tell. */
  readonly threadUs?: number;
}

export const LOAD_JOB = { queue: 'load', name: 'place', payload: JSON.stringify({ text: 'p'.repeat(89) }) };

/** Enqueues one job after the other at this rate, whether the former are answered or not, as requests come to a server. */
export async function offerLoad(store: JobStore, jobsPerSecond: number, forMs: number): Promise<OfferedFigures> {
  const wanted = Math.round((jobsPerSecond * forMs) / 1000);
  const took: number[] = [];
  const before = processorTime();
  const startMs = performance.now();
  const place = async () => {
    const placedMs = performance.now();
    await store.enqueue([LOAD_JOB]);
    took.push(performance.now() - placedMs);
  };
  const placed: Promise<void>[] = [];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const due = Math.min(wanted, Math.floor(((performance.now() - startMs) * jobsPerSecond) / 1000));
      while (placed.length < due) placed.push(place());
      if (placed.length < wanted) return;
      clearInterval(timer);
      resolve();
    }, 1);
  });
  await Promise.all(placed);
  const tookMs = performance.now() - startMs;
  return {
    jobs: wanted,
    tookMs,
    p50Ms: percentile(took, 0.5),
    p99Ms: percentile(took, 0.99),
    ...since(before, processorTime()),
  };
}

function since(before: ProcessorTime, after: ProcessorTime): Pick<OfferedFigures, 'processorUs' | 'threadUs'> {
  const processorUs = after.process - before.process;
  if (before.thread === undefined || after.thread === undefined) return { processorUs };
  return { processorUs, threadUs: after.thread - before.thread };
}
