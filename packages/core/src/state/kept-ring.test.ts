import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NONE } from './job-columns.js';
import { STATE } from './job-state.js';
import { KeptRing } from './kept-ring.js';

function ringOf(kept: number): KeptRing {
  return new KeptRing('mail', STATE.completed, { count: kept, ageMs: null, bytes: null }, kept);
}

describe('KeptRing', () => {
  it('keeps the last ones, finds the token of each, and gives back the oldest for a new one', () => {
    const ring = ringOf(40);
    const places = new Map<number, number>();
    const forgotten: number[] = [];
    for (let slot = 0; slot < 100; slot++) {
      const overflow = ring.takeOverflow();
      if (overflow !== NONE) forgotten.push(overflow);
      ring.push(slot, slot * 10, slot, 0, (moved, position) => places.set(moved, position));
    }
    expect(ring.size).toBe(40);
    expect(forgotten).toEqual(Array.from({ length: 60 }, (_, slot) => slot));
    for (let slot = 60; slot < 100; slot++) expect(ring.tokenAt(places.get(slot)!)).toBe(slot * 10);
  });
});

describe('a ring with holes', () => {
  it('keeps as many as it may, whatever was taken out of its middle', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(fc.nat({ max: 9 }), { maxLength: 300 }), (kept, steps) => {
        const ring = ringOf(kept);
        const places = new Map<number, number>();
        let expected: number[] = [];
        for (const [slot, step] of steps.entries()) {
          const removed = step < 4 ? expected[(step * 7) % Math.max(1, expected.length)] : undefined;
          if (removed !== undefined) {
            ring.removeAt(places.get(removed)!);
            expected = expected.filter((other) => other !== removed);
          }
          expect(ring.takeOverflow()).toBe(expected.length < kept ? NONE : expected.shift());
          ring.push(slot, slot + 0.5, slot, 0, (moved, position) => places.set(moved, position));
          expected.push(slot);
          expect(ring.size).toBe(expected.length);
        }
        for (const slot of expected) expect(ring.tokenAt(places.get(slot)!)).toBe(slot + 0.5);
      }),
    );
  });
});

describe('a ring of jobs that are kept for a time', () => {
  const AGE_MS = 1000;
  const NOW_MS = 10_000;
  /** Each a moment later in the order of the ends. */
  const ringWith = (endedAtMs: Float64Array) => {
    const ring = new KeptRing('mail', STATE.dead, { count: 100, ageMs: AGE_MS, bytes: null }, Number.POSITIVE_INFINITY);
    for (const slot of endedAtMs.keys()) ring.push(slot, 0, slot, 0, () => {});
    return ring;
  };

  it('lets more jobs that seem to end in the future go than fit into a slice, with the one behind them', () => {
    const endedAtMs = Float64Array.of(90_000, 90_000, 90_000, NOW_MS - 2 * AGE_MS, NOW_MS - 10);
    const ring = ringWith(endedAtMs);
    expect(ring.belowDue(NOW_MS, 2, endedAtMs)).toEqual({ below: 2, nextMs: 0 });
    expect([ring.takeBelow(2), ring.takeBelow(2), ring.takeBelow(2)]).toEqual([0, 1, NONE]);
    expect(ring.belowDue(NOW_MS, 2, endedAtMs)).toEqual({ below: 4, nextMs: NOW_MS - 10 + AGE_MS });
  });

  it('has to go or be looked at later, whatever the clock said when they ended', () => {
    const ends = fc.array(fc.oneof(fc.constant(90_000), fc.integer({ min: 0, max: NOW_MS + 20 })), { maxLength: 12 });
    fc.assert(
      fc.property(ends, fc.integer({ min: 1, max: 5 }), (ended, limit) => {
        const endedAtMs = Float64Array.from(ended);
        const ring = ringWith(endedAtMs);
        const lastDue = ended.findLastIndex((atMs, slot) => {
          const isFirst = ended.slice(0, slot).every((before) => before > NOW_MS || before + AGE_MS <= NOW_MS);
          return isFirst && atMs + AGE_MS <= NOW_MS;
        });
        const gone: number[] = [];
        for (let turn = 0; ; turn++) {
          expect(turn).toBeLessThanOrEqual(ended.length);
          const { below, nextMs } = ring.belowDue(NOW_MS, limit, endedAtMs);
          const before = gone.length;
          for (let slot = ring.takeBelow(below); slot !== NONE; slot = ring.takeBelow(below)) gone.push(slot);
          expect(gone.length - before).toBeLessThanOrEqual(limit);
          if (nextMs > NOW_MS) break;
          expect(gone.length).toBeGreaterThan(before);
        }
        expect(gone).toEqual(Array.from({ length: lastDue + 1 }, (_, slot) => slot));
      }),
    );
  });
});

describe('a ring that is filled out of order', () => {
  it('keeps the ones of the highest order, and says from where on', () => {
    const sorted = (orders: readonly number[]) => orders.toSorted((one, other) => one - other);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.uniqueArray(fc.nat({ max: 500 })), (kept, orders) => {
        const ring = ringOf(kept);
        const places = new Map<number, number>();
        let expected: number[] = [];
        let forgottenBelow = 0;
        for (const [index, order] of orders.entries()) {
          const isPast = order < forgottenBelow || (expected.length === kept && order < Math.min(...expected));
          expect(ring.isPast(order)).toBe(isPast);
          if (isPast) continue;
          const overflow = ring.takeOverflow();
          expect(overflow).toBe(expected.length < kept ? NONE : Math.min(...expected));
          if (overflow !== NONE) forgottenBelow = Math.max(forgottenBelow, overflow + 1);
          expected = sorted(expected.filter((other) => other !== overflow)).concat(order);
          ring.push(order, index, order, 0, (moved, position) => places.set(moved, position));
          if (index % 5 === 4) {
            const [removed] = expected.splice(index % expected.length, 1);
            ring.removeAt(places.get(removed!)!);
          }
        }
        for (const order of expected) {
          expect(ring.tokenAt(places.get(order)!)).toBe(orders.indexOf(order));
          expect(ring.orderAt(places.get(order)!)).toBe(order);
        }
        const rest = Array.from({ length: expected.length + 1 }, () => ring.takeBelow(1000));
        expect(rest).toEqual([...sorted(expected), NONE]);
        expect(ring.isPast(999)).toBe(true);
      }),
    );
  });
});
