import {
  HISTOGRAM_BUCKETS,
  histogramBucket,
  histogramBucketRange,
  histogramPercentile,
  mergedHistogram,
} from '@holdfast/contract/rules';
import { expect, it } from 'vitest';
import { bucketRange, merged, percentile } from './histogram.js';

const histogramOf = (values: readonly number[]) =>
  mergedHistogram(
    values.map((value) => ({ count: 1, sum: value, max: value, buckets: [[histogramBucket(value), 1]] as const })),
  );

it('has the buckets of the store', () => {
  for (let bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
    expect(bucketRange(bucket)).toEqual(histogramBucketRange(bucket));
  }
});

it('merges and reads percentiles as the store does', () => {
  const one = histogramOf([3, 90, 900, 901, 12_000]);
  const other = histogramOf([7, 950, 4_000_000]);
  expect(merged([one, other])).toEqual(mergedHistogram([one, other]));
  for (const wanted of [0, 50, 90, 99, 100]) {
    expect(percentile(merged([one, other]), wanted)).toBe(histogramPercentile(mergedHistogram([one, other]), wanted));
  }
  expect(percentile(merged([]), 50)).toBeUndefined();
});

it('reads a percentile within five percent of the exact one', () => {
  const values = Array.from({ length: 4_000 }, (_, index) => 200 + ((index * 7_919) % 100_000));
  const sorted = values.toSorted((one, other) => one - other);
  for (const wanted of [50, 95, 99]) {
    const exact = sorted[Math.ceil((values.length * wanted) / 100) - 1] ?? 0;
    const read = percentile(histogramOf(values), wanted) ?? 0;
    expect(Math.abs(read - exact) / exact).toBeLessThan(0.05);
  }
});
