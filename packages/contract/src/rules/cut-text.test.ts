import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutBytes, cutText } from './cut-text.js';

describe('cutBytes', () => {
  it.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc'],
    ['aéb', 2, 'a'],
    ['aéb', 3, 'aé'],
    ['😀😀', 7, '😀'],
    ['😀', 3, ''],
    ['', 0, ''],
  ])('cuts %j to %i bytes between characters', (text, bytesMax, wanted) => {
    expect(Buffer.from(cutBytes(text, bytesMax)).toString()).toBe(wanted);
  });

  it('keeps the longest beginning that fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.nat({ max: 60 }), (text, bytesMax) => {
        const cut = Buffer.from(cutBytes(text, bytesMax)).toString();
        const characters = [...Buffer.from(text).toString()];
        let wanted = '';
        for (const character of characters) {
          if (Buffer.byteLength(wanted + character) > bytesMax) break;
          wanted += character;
        }
        expect(cut).toBe(wanted);
      }),
    );
  });
});

describe('cutText', () => {
  it.each([
    ['abc', 9, 'abc'],
    ['abcd', 3, 'abc'],
    ['aéb', 2, 'a'],
    ['a\ud800', 9, 'a\ufffd'],
  ])('makes %j of at most %i bytes a text that UTF-8 can hold', (text, bytesMax, wanted) => {
    expect(cutText(text, bytesMax)).toBe(wanted);
  });
});
