import type { LeasedJob } from '@holdfast/contract';
import type { CheckedClaim } from '@holdfast/contract/rules';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WaitingClaims } from './waiting-claims.js';

const CLAIM: CheckedClaim = {
  queues: ['mail'],
  names: undefined,
  limit: 1,
  leaseMs: 1000,
  waitMs: 3_600_000,
  worker: 'one',
};
const JOB = { id: 'a' } as LeasedJob;

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

/** Claims over a queue whose jobs are given by the test, which also hears when somebody looked. */
function waitingClaims(pollMsMin: number) {
  const looksAtMs: number[] = [];
  const jobs: LeasedJob[] = [];
  const claims = new WaitingClaims({
    pollMs: 1000,
    pollMsMin,
    take: async () => {
      looksAtMs.push(performance.now());
      return jobs.splice(0, 1);
    },
    handBack: async (given) => {
      jobs.push(...given);
    },
  });
  /** Between the looks of so many milliseconds. */
  const pauses = async (ms: number) => {
    looksAtMs.length = 0;
    await vi.advanceTimersByTimeAsync(ms);
    return looksAtMs.slice(1).map((atMs, index) => Math.round(atMs - (looksAtMs[index] ?? 0)));
  };
  return { claims, jobs, pauses };
}

it('looks often where jobs were found a moment ago, and more and more seldom', async () => {
  const { claims, jobs, pauses } = waitingClaims(50);
  const first = claims.wait(CLAIM, undefined);
  const fresh = await pauses(400);
  expect(Math.min(...fresh)).toBe(50);
  expect(Math.max(...fresh)).toBeLessThanOrEqual(51);
  const idle = await pauses(20_000);
  expect(idle).toEqual(idle.toSorted((one, other) => one - other));
  expect(idle.at(-1)).toBe(1000);
  jobs.push(JOB);
  while (jobs.length > 0) await vi.advanceTimersByTimeAsync(10);
  expect(await first).toEqual([JOB]);
  void claims.wait(CLAIM, undefined);
  expect(Math.max(...(await pauses(300)))).toBeLessThanOrEqual(51);
  void claims.endAll();
});

it('remembers between two claims that nothing was found for long', async () => {
  const { claims, pauses } = waitingClaims(50);
  void claims.wait(CLAIM, undefined);
  await pauses(20_000);
  void claims.endAll();
  void claims.wait(CLAIM, undefined);
  expect(new Set(await pauses(5000))).toEqual(new Set([1000]));
  void claims.endAll();
});

it('looks evenly where others tell what there is', async () => {
  const { claims, pauses } = waitingClaims(1000);
  void claims.wait(CLAIM, undefined);
  expect(new Set(await pauses(5000))).toEqual(new Set([1000]));
  claims.wake(['mail']);
  claims.wake(['other']);
  expect(await pauses(500)).toEqual([]);
  void claims.endAll();
});

it('is at an end only when jobs that came too late were handed back: their leases would stand until they run out', async () => {
  const given: LeasedJob[] = [];
  const claims = new WaitingClaims({
    pollMs: 1000,
    pollMsMin: 1000,
    take: async () => {
      await later(20);
      return [JOB];
    },
    handBack: async (jobs) => {
      await later(20);
      given.push(...jobs);
    },
  });
  const waiting = claims.wait(CLAIM, undefined);
  let isOver = false;
  void claims.endAll().then(() => {
    isOver = true;
  });
  expect(await waiting).toEqual([]);
  await vi.advanceTimersByTimeAsync(30);
  expect(isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(20);
  expect(isOver).toBe(true);
  expect(given).toEqual([JOB]);
});
