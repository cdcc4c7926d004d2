import { InvalidArgumentError } from '../errors.js';
import type { Histogram, HistogramName, HistogramsRequest } from '../histograms.js';

/** Buckets of one power of two: none is wider than a sixteenth of its values. */
const PARTS_BITS = 4;
const PARTS = 2 ** PARTS_BITS;
const VALUE_MAX = 2 ** 32 - 1;

/** Every value has one of so many buckets. */
export const HISTOGRAM_BUCKETS = (32 - PARTS_BITS + 1) * PARTS;

export const HISTOGRAM_NAMES: readonly HistogramName[] = [
  'sync',
  'append',
  'claim',
  'queue',
  'run',
  'commitRecords',
  'commitBytes',
];
const STEPS_MS: readonly number[] = [1000, 10_000, 60_000];

/** @throws InvalidArgumentError */
export function checkedHistograms({ name, stepMs, fromMs }: HistogramsRequest): HistogramsRequest {
  if (!HISTOGRAM_NAMES.includes(name)) {
    throw new InvalidArgumentError('histograms.name', name, `one of ${HISTOGRAM_NAMES.join(', ')}`);
  }
  if (!STEPS_MS.includes(stepMs)) {
    throw new InvalidArgumentError('histograms.stepMs', stepMs, `one of ${STEPS_MS.join(', ')}`);
  }
  if (fromMs !== undefined && !Number.isFinite(fromMs)) {
    throw new InvalidArgumentError('histograms.fromMs', fromMs, 'a wall-clock time in milliseconds');
  }
  return { name, stepMs, ...(fromMs === undefined ? {} : { fromMs }) };
}

/** Parts of a whole number and those below zero count as less. */
export function histogramBucket(value: number): number {
  const whole = value < VALUE_MAX ? Math.max(0, Math.floor(value)) : VALUE_MAX;
  if (whole < PARTS) return whole;
  const shift = 31 - Math.clz32(whole) - PARTS_BITS;
  return (shift + 1) * PARTS + ((whole >>> shift) & (PARTS - 1));
}

/** The smallest value of a bucket, and that of the next one. */
export function histogramBucketRange(bucket: number): readonly [from: number, below: number] {
  if (bucket < PARTS) return [bucket, bucket + 1];
  const width = 2 ** (Math.floor(bucket / PARTS) - 1);
  const from = (PARTS + (bucket % PARTS)) * width;
  return [from, from + width];
}

export function mergedHistogram(parts: readonly Histogram[]): Histogram {
  const counts = new Map<number, number>();
  for (const { buckets } of parts) {
    for (const [bucket, count] of buckets) counts.set(bucket, (counts.get(bucket) ?? 0) + count);
  }
  return {
    count: parts.reduce((sum, { count }) => sum + count, 0),
    sum: parts.reduce((sum, part) => sum + part.sum, 0),
    max: parts.reduce((most, { max }) => Math.max(most, max), 0),
    buckets: [...counts].sort(([one], [other]) => one - other),
  };
}

/** The middle of the bucket in which the percentile (0 to 100) lies, never above the maximum; `undefined` without values. */
export function histogramPercentile({ count, max, buckets }: Histogram, percentile: number): number | undefined {
  const rank = Math.max(1, Math.ceil((count * percentile) / 100));
  let seen = 0;
  for (const [bucket, inBucket] of buckets) {
    seen += inBucket;
    if (seen < rank) continue;
    const [from, below] = histogramBucketRange(bucket);
    return Math.min(max, (from + below - 1) / 2);
  }
  return undefined;
}
