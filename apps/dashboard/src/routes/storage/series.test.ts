import { expect, it } from 'vitest';
import { withGaps } from './series.js';

it('breaks a line where nothing happened, and only there', () => {
  const data = {
    timesMs: [0, 10, 40, 50],
    series: [{ label: 'p50', tone: 'accent' as const, values: [1, 2, 3, null] }],
  };
  const { timesMs, series } = withGaps(data, 10);
  expect(timesMs).toEqual([0, 10, 20, 40, 50]);
  expect(series[0]?.values).toEqual([1, 2, null, 3, null]);
});
