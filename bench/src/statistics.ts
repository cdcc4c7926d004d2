/** Middle value; the mean of the two middle ones for an even count. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new RangeError('The median of nothing is not defined.');
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The value that the given part of all values does not exceed (nearest rank). */
export function percentile(values: readonly number[], part: number): number {
  if (values.length === 0) throw new RangeError('A percentile of nothing is not defined.');
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)]!;
}

/** Between which two values a figure of all values lies, 95 times of 100, as far as these values tell. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const RESAMPLES = 1000;
const SEED = 0x9e3779b9;

type Figure = (values: readonly number[]) => number;

/**
 * By the bootstrap: the figure of as many values drawn from these, again and again. It asks for no shape of their distribution, only that they do
 * not depend on each other. The same values always give the same interval.
 */
export function bootstrapInterval(values: readonly number[], figure: Figure = median): Interval {
  const draw = drawing();
  return middleOf(() => figure(draw(values)));
}

/** The same of one figure of two rows of values, divided. */
export function bootstrapRatio(over: readonly number[], under: readonly number[], figure: Figure): Interval {
  const draw = drawing();
  return middleOf(() => figure(draw(over)) / figure(draw(under)));
}

function middleOf(figure: () => number): Interval {
  const figures = Array.from({ length: RESAMPLES }, figure);
  return { low: percentile(figures, 0.025), high: percentile(figures, 0.975) };
}

/** As many of the values, each as often as chance has it. */
function drawing(): (values: readonly number[]) => number[] {
  let state = SEED;
  const next = () => {
    // xorshift32: chance for drawing, not for secrets.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  return (values) => values.map(() => values[next() % values.length]!);
}
