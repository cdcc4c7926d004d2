import { describe, expect, it } from 'vitest';
import { makeOrder } from '../order.js';
import { timesBetter } from './figures.js';
import { isNodeAtLeast } from './queues/node-version.js';
import { parseStat } from './servers/server-time.js';
import { Tally } from './tally.js';
import { attemptsWanted, failsForGood } from './workloads/mix.js';

describe('a tally', () => {
  it('counts the attempts of each order and finds one that is lost or handled twice', () => {
    const tally = new Tally(3);
    expect([tally.note(makeOrder(0)), tally.note(makeOrder(2)), tally.note(makeOrder(2))]).toEqual([1, 1, 2]);
    expect(tally.total).toBe(3);
    expect(() => tally.expect(() => 1)).toThrow('Order 1 was handled 0 times, not 1.');
    tally.note(makeOrder(1));
    expect(() => tally.expect(() => 1)).toThrow('Order 2 was handled 2 times, not 1.');
    tally.expect((number) => (number === 2 ? 2 : 1));
    expect(() => tally.note(makeOrder(3))).toThrow('never enqueued');
  });
});

describe('the mix of handlers', () => {
  const hundred = Array.from({ length: 100 }, (_, number) => number);

  it('has eight that fail once and two that fail for good', () => {
    expect(hundred.reduce((sum, number) => sum + attemptsWanted(number, 3), 0)).toBe(90 + 8 * 2 + 2 * 3);
    expect(hundred.filter((number) => failsForGood(number, 3))).toEqual([98, 99]);
  });

  it('loses all ten where nothing is tried again', () => {
    expect(hundred.every((number) => attemptsWanted(number, 1) === 1)).toBe(true);
    expect(hundred.filter((number) => failsForGood(number, 1))).toHaveLength(10);
  });
});

describe('what figures say', () => {
  it('is how many times better the reference is, whichever way is better', () => {
    expect(timesBetter('jobsPerSecond', { jobsPerSecond: 30 }, { jobsPerSecond: 10 })).toBe(3);
    expect(timesBetter('p99Ms', { p99Ms: 2 }, { p99Ms: 8 })).toBe(4);
    expect(timesBetter('p99Ms', { p99Ms: 2 }, {})).toBeUndefined();
    expect(timesBetter('diskBytes', { diskBytes: 100 }, { diskBytes: 0 })).toBeUndefined();
  });

  it('is read behind the name of a program, whatever that holds', () => {
    const line = '42 (a b) c) S 7 1 1 0 -1 0 0 0 0 0 100 200 30 4 20 0 1 0 5';
    expect(parseStat(line)).toEqual({ parent: 7, endedChildrenTicks: 34 });
  });

  it('knows which Node is new enough', () => {
    expect(isNodeAtLeast(22, 12, '22.12.0')).toBe(true);
    expect(isNodeAtLeast(22, 12, '22.11.9')).toBe(false);
    expect(isNodeAtLeast(22, 12, '24.0.0')).toBe(true);
    expect(isNodeAtLeast(22, 12, '20.19.0')).toBe(false);
  });
});
