import fc from 'fast-check';
import { expect, it } from 'vitest';
import { RingBits } from './ring-bits.js';

const PLACES = 128;

it('finds the next place of a ring that is taken', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: PLACES - 1 })), fc.nat({ max: PLACES - 1 }), (taken, from) => {
      const bits = new RingBits(PLACES);
      for (let place = 0; place < PLACES; place++) bits.set(place);
      for (let place = 0; place < PLACES; place++) if (!taken.includes(place)) bits.clear(place);
      const steps = taken.map((place) => (place - from + PLACES) % PLACES).filter((away) => away > 0);
      expect(bits.stepsToNext(from)).toBe(steps.length === 0 ? 0 : Math.min(...steps));
    }),
  );
});
