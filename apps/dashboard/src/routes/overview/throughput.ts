import type { QueueThroughput } from '@holdfast/contract';

const RATE_OVER_MS = 60_000;

export interface Rates {
  readonly enqueued: number;
  readonly completed: number;
  readonly failed: number;
}

/** Leaves out an interval that has not ended: it would read as a sudden drop. */
export function wholeIntervals(throughput: QueueThroughput, nowMs: number): QueueThroughput {
  const { fromMs, stepMs } = throughput;
  const whole = Math.max(0, Math.floor((nowMs - fromMs) / stepMs));
  return {
    fromMs,
    stepMs,
    enqueued: throughput.enqueued.slice(0, whole),
    completed: throughput.completed.slice(0, whole),
    failed: throughput.failed.slice(0, whole),
  };
}

/** Jobs a second over about the last minute of whole intervals; `undefined` without any. */
export function recentRates(throughput: QueueThroughput): Rates | undefined {
  const points = Math.min(throughput.enqueued.length, Math.max(1, Math.round(RATE_OVER_MS / throughput.stepMs)));
  if (points === 0) return undefined;
  const seconds = (points * throughput.stepMs) / 1_000;
  const rate = (values: readonly number[]) => sum(values.slice(-points)) / seconds;
  return {
    enqueued: rate(throughput.enqueued),
    completed: rate(throughput.completed),
    failed: rate(throughput.failed),
  };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
