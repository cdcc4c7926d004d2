import type { Histogram, HistogramPoint } from '@holdfast/contract';
import { bucketRange, merged } from '../../format/histogram.js';

/** One stretch of time; without a histogram nothing happened in it. */
export interface HeatColumn {
  readonly atMs: number;
  readonly histogram: Histogram | undefined;
  /** How many values lie in each row, by its place. */
  readonly counts: readonly number[];
}

export interface Heatmap {
  readonly columnMs: number;
  readonly columns: readonly HeatColumn[];
  /** Powers of the square root of two: where row `n` begins, with one more at the end. */
  readonly edges: readonly number[];
  /** Of all cells. */
  readonly countMax: number;
}

const COLUMNS_MAX = 150;
/** Rows in each power of two. */
const ROWS_IN_OCTAVE = 2;

/** Time by size: intervals are merged until they fit, which loses nothing but their borders. */
export function heatmapOf(points: readonly HistogramPoint[], stepMs: number, fromMs: number, toMs: number): Heatmap {
  const columnMs = stepMs * Math.max(1, Math.ceil((toMs - fromMs) / stepMs / COLUMNS_MAX));
  const first = Math.floor(fromMs / columnMs);
  const last = Math.floor(toMs / columnMs);
  const parts = new Map<number, HistogramPoint[]>();
  for (const point of points) {
    const column = Math.floor(point.atMs / columnMs);
    parts.set(column, [...(parts.get(column) ?? []), point]);
  }
  const edges = edgesOf(points);
  const columns = Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => {
    const found = parts.get(first + index);
    const histogram = found === undefined ? undefined : merged(found);
    return { atMs: (first + index) * columnMs, histogram, counts: countsOf(histogram, edges) };
  });
  const countMax = Math.max(0, ...columns.flatMap(({ counts }) => counts));
  return { columnMs, columns, edges, countMax };
}

function edgesOf(points: readonly HistogramPoint[]): readonly number[] {
  const buckets = points.flatMap(({ buckets: all }) => all.map(([bucket]) => bucket));
  if (buckets.length === 0) return [];
  const from = rowOf(Math.max(1, bucketRange(minMax(buckets)[0])[0]));
  const below = rowOf(minMax(points.map(({ max }) => Math.max(1, max)))[1]) + 1;
  return Array.from({ length: below - from + 1 }, (_, index) => 2 ** ((from + index) / ROWS_IN_OCTAVE));
}

/** Without spreading: a day has more buckets than a call has room for arguments. */
function minMax(values: readonly number[]): readonly [number, number] {
  let [least = 0] = values;
  let most = least;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}

function rowOf(value: number): number {
  return Math.floor(Math.log2(value) * ROWS_IN_OCTAVE);
}

function countsOf(histogram: Histogram | undefined, edges: readonly number[]): readonly number[] {
  const counts = new Array<number>(Math.max(0, edges.length - 1)).fill(0);
  const first = edges[0];
  if (histogram === undefined || first === undefined) return counts;
  for (const [bucket, count] of histogram.buckets) {
    const [from, below] = bucketRange(bucket);
    const row = rowOf(Math.max(1, (from + below - 1) / 2)) - rowOf(first);
    const place = Math.min(counts.length - 1, Math.max(0, row));
    counts[place] = (counts[place] ?? 0) + count;
  }
  return counts;
}
