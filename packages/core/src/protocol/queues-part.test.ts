import type { QueueSummary } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { packQueues, unpackQueues } from './queues-part.js';

const NOTHING = Object.freeze([0, 0, 0]);
const COUNTS = { scheduled: 0, ready: 1, leased: 0, completed: 2, dead: 0, cancelled: 0 };

function queue(name: string, fromMs: number, enqueued: readonly number[], failed = NOTHING): QueueSummary {
  const throughput = { fromMs, stepMs: 10_000, enqueued, completed: NOTHING, failed };
  return { name, counts: COUNTS, retrying: 0, oldestReadyAtMs: 7, throughput };
}

it('brings queues through as they were', () => {
  const queues = [
    queue('a', 10_000, [1, 2, 4_294_967_295]),
    queue('b', 20_000, NOTHING, [0, 9, 0]),
    { ...queue('c', 20_000, NOTHING), paused: { sinceMs: 3, actor: 'olga' } },
  ];
  expect(unpackQueues(structuredClone(packQueues(queues)))).toEqual(queues);
  expect(unpackQueues(structuredClone(packQueues([])))).toEqual([]);
});

it('carries a series once that many queues have', () => {
  const queues = Array.from({ length: 1000 }, (_, number) =>
    queue(`queue-${number}`, 0, number === 7 ? [1, 2, 3] : NOTHING),
  );
  const part = packQueues(queues);
  expect(part.counts).toEqual(Uint32Array.of(0, 0, 0, 1, 2, 3));
  expect(unpackQueues(part)).toEqual(queues);
});
