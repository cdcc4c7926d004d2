import { describe, expect, it } from 'vitest';
import { bootstrapInterval, bootstrapRatio, median, percentile } from './statistics.js';

describe('statistics', () => {
  it('takes the middle, or the mean of the two middle ones', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(() => median([])).toThrow(RangeError);
  });

  it('takes the nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(values, 0.5)).toBe(50);
    expect(percentile(values, 0.99)).toBe(99);
    expect(percentile([7], 0.99)).toBe(7);
  });

  it('says between what the figure of very many more values would be, the same for the same values', () => {
    const values = Array.from({ length: 40 }, (_, index) => 10 + (index % 5));
    const { low, high } = bootstrapInterval(values);
    expect(low).toBeGreaterThanOrEqual(11);
    expect(high).toBeLessThanOrEqual(13);
    expect(low).toBeLessThanOrEqual(median(values));
    expect(high).toBeGreaterThanOrEqual(median(values));
    expect(bootstrapInterval(values)).toEqual({ low, high });
    expect(bootstrapInterval([4, 4, 4])).toEqual({ low: 4, high: 4 });
  });

  it('is as unsure as the values are few and far apart', () => {
    const near = bootstrapInterval([9, 10, 10, 10, 11, 10, 9, 11, 10, 10]);
    const far = bootstrapInterval([0, 20, 10]);
    expect(far.high - far.low).toBeGreaterThan(near.high - near.low);
  });

  it('divides one row of values by another', () => {
    const first = Array.from({ length: 200 }, (_, index) => 100 + (index % 10));
    const { low, high } = bootstrapRatio(
      first.map((value) => 2 * value),
      first,
      median,
    );
    expect(low).toBeGreaterThan(1.9);
    expect(high).toBeLessThan(2.1);
  });
});
