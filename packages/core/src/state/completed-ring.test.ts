import { describe, expect, it } from 'vitest';
import { CompletedRing } from './completed-ring.js';
import { NONE } from './job-columns.js';

describe('CompletedRing', () => {
  it('keeps the last ones, finds the token of each, and gives back the oldest for a new one', () => {
    const ring = new CompletedRing(40);
    const places = new Map<number, number>();
    const forgotten: number[] = [];
    for (let slot = 0; slot < 100; slot++) {
      const overflow = ring.takeOverflow();
      if (overflow !== NONE) forgotten.push(overflow);
      ring.push(slot, slot * 10, (moved, position) => places.set(moved, position));
    }
    expect(ring.size).toBe(40);
    expect(forgotten).toEqual(Array.from({ length: 60 }, (_, slot) => slot));
    for (let slot = 60; slot < 100; slot++) expect(ring.tokenAt(places.get(slot)!)).toBe(slot * 10);
  });
});
