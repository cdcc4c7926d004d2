import { describe, expect, it } from 'vitest';
import type { Histogram, HistogramsRequest } from '../histograms.js';
import {
  checkedHistograms,
  HISTOGRAM_BUCKETS,
  histogramBucket,
  histogramBucketRange,
  histogramPercentile,
  mergedHistogram,
} from './histogram-rules.js';

function histogramOf(values: readonly number[]): Histogram {
  const parts = values.map((value) => ({
    count: 1,
    sum: value,
    max: value,
    buckets: [[histogramBucket(value), 1]] as const,
  }));
  return mergedHistogram(parts);
}

/** Values over all sizes, always the same ones. */
const VALUES = Array.from({ length: 5000 }, (_, index) => Math.floor(2 ** (((index * 7919) % 3200) / 100)));

describe('the buckets of a histogram', () => {
  it('follow each other without gaps, and hold what belongs to them', () => {
    let end = 0;
    for (let bucket = 0; bucket < HISTOGRAM_BUCKETS; bucket++) {
      const [from, below] = histogramBucketRange(bucket);
      expect(from).toBe(end);
      end = below;
      expect([bucket, histogramBucket(from), histogramBucket(below - 1)]).toEqual([bucket, bucket, bucket]);
      expect(below - from).toBeLessThanOrEqual(Math.max(1, from / 16));
    }
    expect(end).toBe(2 ** 32);
  });

  it('take values beyond their ends', () => {
    expect(histogramBucket(-5)).toBe(0);
    expect(histogramBucket(0.9)).toBe(0);
    expect(histogramBucket(2 ** 40)).toBe(HISTOGRAM_BUCKETS - 1);
  });
});

describe('a histogram', () => {
  it('says percentiles within 3.2 percent, or half of one', () => {
    const sorted = VALUES.toSorted((one, other) => one - other);
    const histogram = histogramOf(VALUES);
    for (const percentile of [0, 1, 25, 50, 90, 99, 99.9, 100]) {
      const exact = sorted[Math.max(1, Math.ceil((sorted.length * percentile) / 100)) - 1]!;
      const found = histogramPercentile(histogram, percentile)!;
      expect(Math.abs(found - exact)).toBeLessThanOrEqual(Math.max(0.5, exact * 0.032));
    }
    expect(histogramPercentile(histogramOf([]), 50)).toBeUndefined();
  });

  it('of parts together is that of the whole', () => {
    const parts = [VALUES.slice(0, 17), VALUES.slice(17, 3000), VALUES.slice(3000)].map(histogramOf);
    expect(mergedHistogram(parts)).toEqual(histogramOf(VALUES));
  });

  it('is asked for by a name and a step that exist', () => {
    const request = { name: 'run', stepMs: 1000, fromMs: 5 } as const;
    expect(checkedHistograms(request)).toEqual(request);
    const wrong = [
      { ...request, name: 'x' },
      { ...request, stepMs: 7 },
      { ...request, fromMs: Number.NaN },
    ];
    for (const one of wrong) expect(() => checkedHistograms(one as HistogramsRequest)).toThrow('histograms.');
  });
});
