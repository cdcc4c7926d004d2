import { histogramBucket } from '@holdfast/contract/rules';
import { expect, it } from 'vitest';
import { heatmapOf } from './heatmap.js';

const point = (atMs: number, values: readonly number[]) => ({
  atMs,
  count: values.length,
  sum: values.reduce((total, value) => total + value, 0),
  max: Math.max(...values),
  buckets: values.map((value) => [histogramBucket(value), 1] as const),
});

it('counts every value once, and leaves quiet stretches empty', () => {
  const points = [point(10_000, [900, 950, 20_000]), point(50_000, [1_000])];
  const { columns, edges, countMax } = heatmapOf(points, 10_000, 10_000, 59_999);
  expect(columns.map(({ histogram }) => histogram?.count)).toEqual([3, undefined, undefined, undefined, 1]);
  expect(columns.flatMap(({ counts }) => counts).reduce((sum, count) => sum + count, 0)).toBe(4);
  expect(countMax).toBe(2);
  expect(edges[0]).toBeLessThanOrEqual(900);
  expect(edges.at(-1)).toBeGreaterThan(20_000);
});

it('merges intervals that do not fit, and loses no value', () => {
  const points = Array.from({ length: 1_440 }, (_, index) => point(index * 60_000, [500 + index, 40_000]));
  const { columns, columnMs } = heatmapOf(points, 60_000, 0, 1_440 * 60_000 - 1);
  expect(columns.length).toBeLessThanOrEqual(150);
  expect(columnMs).toBe(600_000);
  expect(columns.reduce((sum, { histogram }) => sum + (histogram?.count ?? 0), 0)).toBe(2_880);
});

it('is empty without points', () => {
  expect(heatmapOf([], 1_000, 0, 5_000)).toMatchObject({ edges: [], countMax: 0 });
});
