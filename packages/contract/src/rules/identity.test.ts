import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatId, formatToken, makeToken, parseId, parseToken, storeTag } from './identity.js';

const tag = storeTag(new Uint8Array(16).fill(7));
const epochs = fc.integer({ min: 1, max: 2 ** 21 - 1 });
const counters = fc.integer({ min: 1, max: 2 ** 32 - 1 });

describe('ids', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), (id) => parseId(tag, formatId(tag, id)) === id),
    );
  });

  it('of another store, or of no store, are not known', () => {
    const other = storeTag(new Uint8Array(16).fill(8));
    expect(other).not.toBe(tag);
    for (const text of [
      formatId(other, 5),
      '',
      '5',
      `${tag}-`,
      `${tag}-0`,
      `${tag}-05`,
      `${tag}-A`,
      `${tag}-5 `,
      `${tag}-zzzzzzzzzzz`,
    ]) {
      expect(parseId(tag, text), text).toBeUndefined();
    }
  });
});

describe('tokens', () => {
  it('come back as they went', () => {
    fc.assert(
      fc.property(epochs, counters, (epoch, counter) => {
        const token = makeToken(epoch, counter);
        return Number.isSafeInteger(token) && parseToken(formatToken(token)) === token;
      }),
    );
  });

  it('are ordered as texts as they are as numbers', () => {
    fc.assert(
      fc.property(epochs, counters, epochs, counters, (epochA, counterA, epochB, counterB) => {
        const a = makeToken(epochA, counterA);
        const b = makeToken(epochB, counterB);
        return a < b === formatToken(a) < formatToken(b);
      }),
    );
  });

  it('that are no tokens become one that no lease has', () => {
    for (const text of ['', '1.1', '000001.00000001 ', '00000g.00000001', 'ffffff.00000001', '000001,00000001']) {
      expect(parseToken(text), text).toBe(0);
    }
  });
});
