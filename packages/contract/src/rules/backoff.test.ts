import { describe, expect, it } from 'vitest';
import type { Random } from '../clock.js';
import { backoffMs } from './backoff.js';

const fixedRandom = (fraction: number): Random => ({
  fraction: () => fraction,
  bytes: (count) => new Uint8Array(count),
});

describe('backoffMs', () => {
  it.each([
    ['exponential', 1, 1000],
    ['exponential', 2, 2000],
    ['exponential', 5, 16_000],
    ['exponential', 7, 60_000],
    ['exponential', 4_000_000_000, 60_000],
    ['fixed', 1, 1000],
    ['fixed', 9, 1000],
  ] as const)('%s, attempt %i: %i ms', (kind, attempt, wanted) => {
    const backoff = { kind, baseMs: 1000, maxMs: 60_000, jitter: 'none' as const };
    expect(backoffMs(backoff, attempt, fixedRandom(0.3))).toBe(wanted);
    expect(backoffMs({ ...backoff, jitter: 'full' }, attempt, fixedRandom(0.25))).toBe(wanted / 4);
  });

  it('is capped also where it is fixed, and may be 0', () => {
    const backoff = { kind: 'fixed' as const, baseMs: 5000, maxMs: 100, jitter: 'none' as const };
    expect(backoffMs(backoff, 1, fixedRandom(0))).toBe(100);
    expect(backoffMs({ ...backoff, jitter: 'full' }, 1, fixedRandom(0))).toBe(0);
    expect(backoffMs({ ...backoff, kind: 'exponential', baseMs: 0 }, 60, fixedRandom(0.5))).toBe(0);
  });

  it('walks with decorrelated jitter: from the base to three times the step before, at most the maximum', () => {
    const backoff = { kind: 'exponential' as const, baseMs: 100, maxMs: 1000, jitter: 'decorrelated' as const };
    const waits = (fraction: number) =>
      [1, 2, 3, 4, 5, 4_000_000_000].map((attempt) => backoffMs(backoff, attempt, fixedRandom(fraction)));
    expect(waits(0)).toEqual([100, 100, 100, 100, 100, 100]);
    expect(waits(0.5)).toEqual([200, 350, 575, 913, 1000, 1000]);
    expect(waits(0.999_999)).toEqual([300, 900, 1000, 1000, 1000, 1000]);
    expect(backoffMs({ ...backoff, maxMs: 50 }, 1, fixedRandom(0.5))).toBe(50);
    expect(backoffMs({ ...backoff, baseMs: 0 }, 3, fixedRandom(0.5))).toBe(0);
  });

  it('of a named one is that of an exponential one', () => {
    const backoff = { kind: 'named' as const, name: 'webhook', baseMs: 1000, maxMs: 3000, jitter: 'none' as const };
    expect([1, 2, 3].map((attempt) => backoffMs(backoff, attempt, fixedRandom(0)))).toEqual([1000, 2000, 3000]);
  });
});
