import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Sweeper } from './sweeper.js';
import type { Sweeping } from './sweeping.js';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** The sweeper of a process that does not lead. @param dueInMs what each look finds, one after the other; nothing behind them */
function follower(dueInMs: number[]) {
  const looksAtMs: number[] = [];
  const startedAtMs = performance.now();
  const due = async () => {
    looksAtMs.push(Math.round(performance.now() - startedAtMs));
    return dueInMs.shift() ?? Number.POSITIVE_INFINITY;
  };
  // It only asks what is due.
  const sweeping = { due } as unknown as Sweeping;
  const sweeper = new Sweeper({ sweepMs: 1000, sweeping, leads: async () => false });
  sweeper.start();
  return { sweeper, looksAtMs };
}

it('looks where it does not lead when a job is due that its process scheduled, and then no more', async () => {
  const { sweeper, looksAtMs } = follower([]);
  await vi.advanceTimersByTimeAsync(3000);
  expect(looksAtMs).toEqual([]);
  sweeper.note(500);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(looksAtMs).toEqual([3500]);
  await sweeper.stop();
});

it('looks again where it does not lead when the next job is due that it has seen', async () => {
  const { sweeper, looksAtMs } = follower([2500]);
  sweeper.note(500);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(looksAtMs).toEqual([500, 3000]);
  await sweeper.stop();
});
