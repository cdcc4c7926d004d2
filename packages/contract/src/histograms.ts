/**
 * What a store measures: how long a sync took (`sync`), an enqueue waited for the disk (`append`), a claim waited for its first job
 * (`claim`), a job could have started before it did (`queue`), an attempt that completed ran (`run`), all in microseconds; and the records and
 * bytes of a commit (`commitRecords`, `commitBytes`).
 */
export type HistogramName = 'sync' | 'append' | 'claim' | 'queue' | 'run' | 'commitRecords' | 'commitBytes';

/**
 * Values in buckets whose width grows with them (docs/stores.md, "Histograms"): merging those of several intervals gives exactly the histogram
 * of them together. `histogramPercentile` in `@holdfast/contract/rules` reads percentiles from it, within 3.2 percent.
 */
export interface Histogram {
  readonly count: number;
  readonly sum: number;
  readonly max: number;
  /** Number of the bucket and how many values are in it, by rising number, without the empty ones. */
  readonly buckets: readonly (readonly [bucket: number, count: number])[];
}

export interface HistogramPoint extends Histogram {
  /** The interval begins here. */
  readonly atMs: number;
}

export interface HistogramsRequest {
  readonly name: HistogramName;
  /** Length of the intervals: seconds are kept for 5 minutes, ten seconds for an hour, minutes for a day. */
  readonly stepMs: 1000 | 10_000 | 60_000;
  /** Only intervals that begin at or after this wall-clock time. */
  readonly fromMs?: number;
}

/** An interval in which nothing happened is missing: no data, not zero. The last one may not be over yet. */
export interface HistogramSeries {
  readonly stepMs: number;
  readonly points: readonly HistogramPoint[];
}
