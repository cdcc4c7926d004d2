import { expect, it } from 'vitest';
import { type ClaimPlace, ClaimStarts } from './claim-starts.js';

/** A queue in which every look from the start takes 10 ms. */
function crowdedQueue(gone: number) {
  let nowMs = 0;
  const looks: string[] = [];
  const waiting: ClaimPlace[] = [];
  const starts = new ClaimStarts({ countGone: async () => gone, nowMs: () => nowMs });
  const take = (limit: number) =>
    starts.take('a', limit, async (from) => {
      const isStart = from.priority < 0;
      nowMs += isStart ? 10 : 1;
      looks.push(isStart ? 'start' : 'on');
      const found = waiting.filter(({ priority, number }) => priority > from.priority || number >= from.number);
      found.sort((one, other) => one.number - other.number);
      for (const place of found.slice(0, limit)) waiting.splice(waiting.indexOf(place), 1);
      return found.slice(0, limit);
    });
  const add = (...numbers: number[]) =>
    waiting.push(...numbers.map((number) => ({ priority: 1, rank_ms: number, number })));
  return {
    add,
    looks,
    take,
    pass(ms: number) {
      nowMs += ms;
    },
  };
}

it('looks from the start as long as few jobs are in the way', async () => {
  const queue = crowdedQueue(100);
  queue.add(1, 2, 3, 4);
  for (let claim = 0; claim < 4; claim++) await queue.take(1);
  expect(queue.looks).toEqual(['start', 'start', 'start', 'start']);
});

it('begins where the last claim found its first job, and looks from the start now and then', async () => {
  const queue = crowdedQueue(1_000_000);
  queue.add(11, 12, 13, 14, 15, 16);
  // The first counts, the second knows.
  await queue.take(1);
  await queue.take(1);
  queue.add(1);
  queue.looks.length = 0;
  expect((await queue.take(1))[0]?.number).toBe(13);
  expect(queue.looks).toEqual(['on']);
  queue.pass(200);
  expect((await queue.take(1))[0]?.number).toBe(1);
  expect(queue.looks).toEqual(['on', 'start']);
});

it('finds what is left, wherever it is', async () => {
  const queue = crowdedQueue(1_000_000);
  queue.add(11, 12, 13);
  await queue.take(1);
  await queue.take(1);
  queue.add(1, 2);
  expect((await queue.take(5)).map(({ number }) => number)).toEqual([13]);
  expect((await queue.take(5)).map(({ number }) => number)).toEqual([1, 2]);
  queue.add(14);
  await queue.take(1);
  queue.add(3);
  expect((await queue.take(1)).map(({ number }) => number)).toEqual([3]);
});
