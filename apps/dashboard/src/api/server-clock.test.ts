import { expect, it, vi } from 'vitest';
import { ServerClock } from './server-clock.js';

function clockAt(localMs: number): ServerClock {
  return new ServerClock(() => localMs);
}

it('shows the time of the server, whatever the clock of the browser says', () => {
  const clock = clockAt(1_000_000);
  clock.observe(400_050, 999_900, 1_000_000);
  expect(clock.now()).toBe(400_100);
  expect(clock.fromLocal(999_000)).toBe(399_100);
});

it('keeps the offset that is known best', () => {
  const clock = clockAt(0);
  clock.observe(10_005, 0, 10);
  clock.observe(10_900, 0, 2_000);
  expect(clock.now()).toBe(10_000);
});

it('gives it up when an answer contradicts it, because a clock was set', () => {
  const clock = clockAt(0);
  clock.observe(10_005, 0, 10);
  clock.observe(90_000, 0, 2_000);
  expect(clock.now()).toBe(89_000);
});

it('tells when it has changed, and ignores an answer without a time', () => {
  const clock = clockAt(0);
  const told = vi.fn();
  clock.onAdjust(told);
  clock.observe(Number.NaN, 0, 10);
  expect(told).not.toHaveBeenCalled();
  clock.observe(5, 0, 10);
  expect(told).toHaveBeenCalledOnce();
});
