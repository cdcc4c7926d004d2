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
});
