import type { HistogramPoint } from '@holdfast/contract';
import { HISTOGRAM_BUCKETS, histogramBucket } from '@holdfast/contract/rules';

/** Steps and how many of each are kept: 5 minutes, an hour, a day. */
const TIERS = [
  { stepMs: 1000, kept: 300 },
  { stepMs: 10_000, kept: 360 },
  { stepMs: 60_000, kept: 1440 },
] as const;

/** An interval that is over: bucket, count, bucket, count, … */
interface ClosedStep {
  readonly atMs: number;
  readonly count: number;
  readonly sum: number;
  readonly max: number;
  readonly pairs: Uint32Array;
}

class OpenStep {
  readonly counts = new Uint32Array(HISTOGRAM_BUCKETS);
  count = 0;
  sum = 0;
  max = 0;
  /** Only buckets up to here are in use. */
  top = -1;

  add(bucket: number, count: number): void {
    this.counts[bucket]! += count;
    if (bucket > this.top) this.top = bucket;
  }

  close(atMs: number): ClosedStep {
    const pairs: number[] = [];
    for (let bucket = 0; bucket <= this.top; bucket++) {
      if (this.counts[bucket] !== 0) pairs.push(bucket, this.counts[bucket]!);
    }
    return { atMs, count: this.count, sum: this.sum, max: this.max, pairs: Uint32Array.from(pairs) };
  }

  reset(): void {
    this.counts.fill(0, 0, this.top + 1);
    this.count = 0;
    this.sum = 0;
    this.max = 0;
    this.top = -1;
  }
}

class Tier {
  readonly stepMs: number;
  readonly open = new OpenStep();
  step = Number.NaN;
  readonly #kept: number;
  #closed: ClosedStep[] = [];

  constructor({ stepMs, kept }: (typeof TIERS)[number]) {
    this.stepMs = stepMs;
    this.#kept = kept;
  }

  /** @returns what was closed, if the open step is over */
  roll(nowMs: number): ClosedStep | undefined {
    const step = Math.floor(nowMs / this.stepMs);
    if (step === this.step) return undefined;
    const closed = this.open.count === 0 ? undefined : this.open.close(this.step * this.stepMs);
    this.open.reset();
    this.step = step;
    if (closed !== undefined) this.#keep(closed, nowMs);
    return closed;
  }

  points(nowMs: number, fromMs: number): HistogramPoint[] {
    const oldestMs = Math.max(fromMs, nowMs - this.#kept * this.stepMs);
    const open = this.open.count === 0 ? [] : [this.open.close(this.step * this.stepMs)];
    return [...this.#closed, ...open].filter(({ atMs }) => atMs >= oldestMs && atMs <= nowMs).map(toPoint);
  }

  /** After the clock was set back, what seems to come later goes. */
  #keep(closed: ClosedStep, nowMs: number): void {
    this.#closed.push(closed);
    const isSetBack = closed.atMs > nowMs;
    if (isSetBack) this.#closed = this.#closed.filter(({ atMs }) => atMs <= nowMs);
    if (this.#closed.length > this.#kept) this.#closed.shift();
  }
}

/**
 * One measure as mergeable histograms of seconds, tens of seconds and minutes. A value is counted once, in the second that is open; that is
 * added to the longer steps when it is over, which is seen when something happens later or somebody asks.
 */
export class HistogramTiers {
  readonly #tiers = TIERS.map((tier) => new Tier(tier));
  #rollAtMs = Number.NEGATIVE_INFINITY;
  #openedAtMs = Number.POSITIVE_INFINITY;

  /** @param value microseconds, records or bytes; parts of one are left out */
  record(nowMs: number, value: number): void {
    if (nowMs >= this.#rollAtMs || nowMs < this.#openedAtMs) this.#roll(nowMs);
    const { open } = this.#tiers[0]!;
    const whole = value > 0 ? Math.floor(value) : 0;
    open.add(histogramBucket(whole), 1);
    open.count++;
    open.sum += whole;
    if (whole > open.max) open.max = whole;
  }

  /** @throws nothing: a step that is not kept has no points */
  read(stepMs: number, nowMs: number, fromMs = Number.NEGATIVE_INFINITY): HistogramPoint[] {
    this.#roll(nowMs);
    const tier = this.#tiers.find((one) => one.stepMs === stepMs);
    if (tier === undefined) return [];
    // The second that is open belongs to the longer steps as well, for who looks now.
    const [seconds] = this.#tiers;
    if (tier === seconds) return tier.points(nowMs, fromMs);
    const open = seconds!.open.count === 0 ? undefined : seconds!.open.close(nowMs);
    if (open !== undefined) addTo(tier.open, open, 1);
    const points = tier.points(nowMs, fromMs);
    if (open !== undefined) addTo(tier.open, open, -1);
    return points;
  }

  #roll(nowMs: number): void {
    const [seconds, ...longer] = this.#tiers;
    const wasInMs = seconds!.step * seconds!.stepMs;
    const closed = seconds!.roll(nowMs);
    for (const tier of longer) {
      if (closed !== undefined) {
        tier.roll(wasInMs);
        addTo(tier.open, closed, 1);
      }
      tier.roll(nowMs);
    }
    this.#openedAtMs = Math.floor(nowMs / 1000) * 1000;
    this.#rollAtMs = this.#openedAtMs + 1000;
  }
}

function addTo(open: OpenStep, { count, sum, max, pairs }: ClosedStep, sign: 1 | -1): void {
  for (let index = 0; index < pairs.length; index += 2) open.add(pairs[index]!, sign * pairs[index + 1]!);
  open.count += sign * count;
  open.sum += sign * sum;
  // Taking away leaves a maximum that the step will have when its second is over.
  open.max = Math.max(open.max, max);
}

function toPoint({ atMs, count, sum, max, pairs }: ClosedStep): HistogramPoint {
  const buckets: [number, number][] = [];
  for (let index = 0; index < pairs.length; index += 2) buckets.push([pairs[index]!, pairs[index + 1]!]);
  return { atMs, count, sum, max, buckets };
}
