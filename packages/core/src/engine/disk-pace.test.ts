import { describe, expect, it } from 'vitest';
import { DiskPace } from './disk-pace.js';

function after(...tookMs: readonly number[]): boolean {
  const pace = new DiskPace();
  for (const ms of tookMs) pace.took(ms);
  return pace.isFast;
}

const fast = (syncs: number) => new Array<number>(syncs).fill(0.2);

describe('a disk', () => {
  it('is fast when it has shown that, and not before', () => {
    expect([0, 1, 5, 10, 12].map((syncs) => after(...fast(syncs)))).toEqual([false, false, false, false, true]);
  });

  it('is slow from the first slow sync on, for a while that is longer the slower it was', () => {
    expect(after(...fast(20), 1.5)).toBe(false);
    expect(after(...fast(20), 1.5, ...fast(5))).toBe(true);
    expect(after(...fast(20), 50, ...fast(15))).toBe(false);
    expect(after(...fast(20), 50, ...fast(20))).toBe(true);
  });

  it('is never fast where each sync takes a millisecond more', () => {
    expect(after(...new Array<number>(1000).fill(1.2))).toBe(false);
  });
});
