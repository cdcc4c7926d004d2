import type { QueueSummary } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { shownQueues } from './shown-queues.js';

const STEP_MS = 10_000;

function queueOf(name: string, enqueued: readonly number[]): QueueSummary {
  const none = enqueued.map(() => 0);
  return {
    name,
    counts: { scheduled: 0, ready: 0, leased: 0, completed: 0, dead: 0, cancelled: 0 },
    retrying: 0,
    throughput: { fromMs: 0, stepMs: STEP_MS, enqueued, completed: none, failed: none },
  };
}

const rateOf = (enqueued: readonly number[]) =>
  shownQueues([queueOf('mail', enqueued)]).totals?.rates.enqueuedPerSecond;

it('counts a second over the last minute of whole intervals', () => {
  expect(rateOf([900, 1, 2, 3, 4, 5, 6, 900])).toBe(21 / 60);
});

it('takes what whole intervals there are, and nothing where only one has begun', () => {
  expect(rateOf([10, 30, 900])).toBe(2);
  expect(rateOf([900])).toBe(0);
  expect(rateOf([])).toBe(0);
});

it('adds up all queues but its own', () => {
  const { queues, totals } = shownQueues([
    queueOf('mail', [10, 0]),
    queueOf('holdfast.operations', [50, 0]),
    queueOf('pdf', [20, 0]),
  ]);
  expect(queues.map(({ name }) => name)).toEqual(['mail', 'pdf']);
  expect(totals?.rates.enqueuedPerSecond).toBe(3);
});
