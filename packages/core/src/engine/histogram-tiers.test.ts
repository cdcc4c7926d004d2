import { mergedHistogram } from '@holdfast/contract/rules';
import { describe, expect, it } from 'vitest';
import { HistogramTiers } from './histogram-tiers.js';

describe('HistogramTiers', () => {
  it('say the same in every step', () => {
    const tiers = new HistogramTiers();
    const start = 1_700_000_040_000;
    for (let ms = 0; ms < 90_000; ms += 37) tiers.record(start + ms, (ms * 7919) % 100_000);
    const nowMs = start + 90_000;
    const [seconds, tens, minutes] = [1000, 10_000, 60_000].map((stepMs) => tiers.read(stepMs, nowMs));
    expect([seconds!.length, tens!.length, minutes!.length]).toEqual([90, 9, 2]);
    const whole = mergedHistogram(seconds!);
    expect(whole.count).toBe(Math.ceil(90_000 / 37));
    expect(mergedHistogram(tens!)).toEqual(whole);
    expect(mergedHistogram(minutes!)).toEqual(whole);
    expect(mergedHistogram(seconds!.slice(0, 10))).toEqual(mergedHistogram([tens![0]!]));
  });

  it('show the second that is open in every step, and count it once', () => {
    const tiers = new HistogramTiers();
    for (const stepMs of [60_000, 1000, 10_000, 60_000]) {
      tiers.record(5000, 7);
      expect(tiers.read(stepMs, 5500)).toHaveLength(1);
    }
    expect(tiers.read(60_000, 5500)).toEqual([{ atMs: 0, count: 4, sum: 28, max: 7, buckets: [[7, 4]] }]);
    expect(tiers.read(60_000, 6500)).toEqual([{ atMs: 0, count: 4, sum: 28, max: 7, buckets: [[7, 4]] }]);
  });

  it('forget what is old, leave out steps without values, and follow a clock that is set back', () => {
    const tiers = new HistogramTiers();
    tiers.record(1000, 1);
    tiers.record(3000, 1);
    expect(tiers.read(1000, 4000).map(({ atMs }) => atMs)).toEqual([1000, 3000]);
    expect(tiers.read(1000, 4000, 2000).map(({ atMs }) => atMs)).toEqual([3000]);
    expect(tiers.read(1000, 302_500).map(({ atMs }) => atMs)).toEqual([3000]);
    expect(tiers.read(10_000, 302_500).map(({ atMs }) => atMs)).toEqual([0]);
    tiers.record(400_000, 1);
    tiers.record(5000, 1);
    expect(tiers.read(1000, 5500).map(({ atMs }) => atMs)).toEqual([1000, 3000, 5000]);
  });
});
