/** One line of a chart: a value at each time, or nothing. */
export interface Series {
  readonly label: string;
  readonly tone: 'accent' | 'caution' | 'muted';
  readonly values: readonly (number | null)[];
}

export interface TimeSeries {
  readonly timesMs: readonly number[];
  readonly series: readonly Series[];
}

/**
 * Puts an empty place into each stretch that has no point, so that a chart breaks its line there: an interval without
 * points means that nothing happened, and a line across it would claim otherwise.
 */
export function withGaps(data: TimeSeries, stepMs: number): TimeSeries {
  const places = data.timesMs.flatMap((atMs, index) => {
    const before = data.timesMs[index - 1];
    const gap = before !== undefined && atMs - before > stepMs * 1.5;
    return gap
      ? [
          { atMs: before + stepMs, index: -1 },
          { atMs, index },
        ]
      : [{ atMs, index }];
  });
  return {
    timesMs: places.map((place) => place.atMs),
    series: data.series.map((line) => ({ ...line, values: places.map((place) => line.values[place.index] ?? null) })),
  };
}
