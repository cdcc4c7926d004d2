import { expect, it } from 'vitest';
import { expiryBars } from './expiry-bars.js';

const MINUTE = 60_000;

it('counts each expiry of the last hour once, and keeps the empty stretches', () => {
  const bars = expiryBars([{ atMs: 100 * MINUTE }, { atMs: 101 * MINUTE }, { atMs: 61 * MINUTE }], 101 * MINUTE);
  expect(bars).toHaveLength(30);
  expect(bars.at(-1)).toEqual({ fromMs: 100 * MINUTE, count: 2 });
  expect(bars.reduce((total, bar) => total + bar.count, 0)).toBe(3);
});

it('leaves out what is older than an hour', () => {
  expect(expiryBars([{ atMs: 0 }], 100 * MINUTE).every((bar) => bar.count === 0)).toBe(true);
});
