import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobColumns } from './job-columns.js';
import { ScheduleWheel } from './schedule-wheel.js';

const NOW_MS = 1_790_000_000_000;
const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const LAST_MS = 8_640_000_000_000_000;

function stage() {
  const columns = new JobColumns();
  const wheel = new ScheduleWheel(columns);
  let lastId = 0;
  return {
    columns,
    wheel,
    add(runAtMs: number, enqueuedAtMs: number): number {
      const slot = columns.allocate();
      columns.id[slot] = ++lastId;
      columns.runAtMs[slot] = runAtMs;
      columns.enqueuedAtMs[slot] = enqueuedAtMs;
      wheel.push(slot);
      return slot;
    },
    /** Ids of what is due, in the order in which they come out. */
    fire(nowMs: number, movesMax = 0): number[] {
      wheel.advance(nowMs, movesMax);
      const ids: number[] = [];
      for (let slot = wheel.firstDue(nowMs); slot !== undefined; slot = wheel.firstDue(nowMs)) {
        ids.push(columns.id[slot]!);
        wheel.remove(slot);
        columns.state[slot] = 0;
        columns.free(slot);
      }
      return ids;
    },
  };
}

/** From a moment to years, and the same times again and again. */
const distanceMs = fc.oneof(
  fc.integer({ min: 1, max: 5 * SECOND_MS }),
  fc.integer({ min: 1, max: DAY_MS }),
  fc.integer({ min: 1, max: 3 * 365 * DAY_MS }),
  fc.constantFrom(1, 512, 1024, 256 * 1024, 65_536 * 1024, 2 ** 24 * 1024, LAST_MS),
);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ act: fc.constant('add' as const), ms: distanceMs, count: fc.nat({ max: 20 }) }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('remove' as const), ms: fc.nat(), count: fc.nat({ max: 3 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({ act: fc.constant('pass' as const), ms: distanceMs, count: fc.nat({ max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('setBack' as const), ms: distanceMs, count: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('await' as const), ms: fc.nat(), count: fc.nat({ max: 30 }) }) },
);

describe('ScheduleWheel', () => {
  it('gives back what is due as a sorted list does, however time passes', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const { columns, wheel, add, fire } = stage();
        const waiting = new Map<number, { id: number; runAtMs: number }>();
        let nowMs = NOW_MS;
        for (const { act, ms, count } of steps) {
          if (act === 'add') {
            for (let index = 0; index < count; index++) {
              const runAtMs = Math.min(nowMs + ms * (index % 3), LAST_MS);
              const slot = add(runAtMs, nowMs);
              waiting.set(slot, { id: columns.id[slot]!, runAtMs });
            }
          } else if (act === 'remove') {
            for (const slot of [...waiting.keys()].slice(ms % 50, (ms % 50) + count)) {
              wheel.remove(slot);
              waiting.delete(slot);
              columns.state[slot] = 0;
              columns.free(slot);
            }
          } else if (act === 'setBack') {
            nowMs = Math.max(0, nowMs - (ms % (400 * DAY_MS)));
          } else {
            nowMs = act === 'pass' ? Math.min(nowMs + ms, LAST_MS) : Math.max(nowMs, Math.min(wheel.nextMs, LAST_MS));
          }
          const due = [...waiting].filter(([, { runAtMs }]) => runAtMs <= nowMs);
          due.sort(([, one], [, other]) => one.runAtMs - other.runAtMs || one.id - other.id);
          expect(fire(nowMs, count)).toEqual(due.map(([, { id }]) => id));
          for (const [slot] of due) waiting.delete(slot);
          const next = Math.min(...[...waiting.values()].map(({ runAtMs }) => runAtMs));
          expect(wheel.size).toBe(waiting.size);
          expect(wheel.nextMs).toBeLessThanOrEqual(next);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('names a time that comes nearer with every look, until the first job is due', () => {
    const { wheel, add, fire } = stage();
    const runAtMs = NOW_MS + 300 * DAY_MS + 12_345;
    add(runAtMs, NOW_MS);
    const looks: number[] = [];
    for (let nowMs = NOW_MS; nowMs < runAtMs; ) {
      const nextMs = wheel.nextMs;
      expect(nextMs).toBeGreaterThan(nowMs);
      looks.push(nextMs);
      nowMs = nextMs;
      if (nowMs < runAtMs) expect(fire(nowMs, 1)).toEqual([]);
    }
    expect(looks.at(-1)).toBe(runAtMs);
    expect(looks.length).toBeLessThanOrEqual(4);
    expect(fire(runAtMs)).toEqual([1]);
    expect(wheel.nextMs).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes a great bucket apart in steps before its time, so that nothing is left to do then', () => {
    const { wheel, add, fire } = stage();
    const runAtMs = NOW_MS + 30 * DAY_MS;
    for (let index = 0; index < 10_000; index++) add(runAtMs + (index % 100), NOW_MS);
    let looks = 0;
    for (; wheel.inBuckets > 0; looks++) {
      const before = wheel.inBuckets;
      expect(wheel.nextMs).toBeLessThan(runAtMs);
      expect(fire(wheel.nextMs, 100)).toEqual([]);
      expect(before - wheel.inBuckets).toBeLessThanOrEqual(100);
    }
    expect(looks).toBeGreaterThanOrEqual(100);
    expect(looks).toBeLessThan(500);
    expect(fire(runAtMs + 100)).toHaveLength(10_000);
  });

  it('keeps new jobs in order while the clock says less than it has said', () => {
    const { add, fire } = stage();
    add(NOW_MS + 2 * DAY_MS, NOW_MS);
    expect(fire(NOW_MS + DAY_MS)).toEqual([]);
    add(NOW_MS + 2 * SECOND_MS, NOW_MS);
    add(NOW_MS + SECOND_MS, NOW_MS);
    expect(fire(NOW_MS + SECOND_MS)).toEqual([3]);
    expect(fire(NOW_MS + DAY_MS)).toEqual([2]);
    expect(fire(NOW_MS + 2 * DAY_MS)).toEqual([1]);
  });
});
