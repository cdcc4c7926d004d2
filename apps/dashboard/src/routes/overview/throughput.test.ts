import { expect, it } from 'vitest';
import { recentRates, wholeIntervals } from './throughput.js';

const throughput = { fromMs: 0, stepMs: 10_000, enqueued: [10, 20, 30], completed: [1, 2, 3], failed: [0, 0, 5] };

it('leaves out the interval under way', () => {
  expect(wholeIntervals(throughput, 29_999).enqueued).toEqual([10, 20]);
  expect(wholeIntervals(throughput, 30_000).enqueued).toEqual([10, 20, 30]);
  expect(wholeIntervals(throughput, -5).enqueued).toEqual([]);
});

it('gives rates a second over the last minute, or none', () => {
  expect(recentRates(throughput)).toEqual({ enqueued: 2, completed: 0.2, failed: 5 / 30 });
  expect(recentRates({ ...throughput, enqueued: [], completed: [], failed: [] })).toBeUndefined();
});
