import { describe, expect, it } from 'vitest';
import { matchesPart } from './matches-part.js';

describe('matchesPart', () => {
  it.each([
    [{ a: 1, b: 2 }, {}],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ a: { b: [{ c: 1, d: 2 }] } }, { a: { b: [{ c: 1 }] } }],
    [{ at: new Date(5) }, { at: new Date(5) }],
    [{ of: new Map([[1, 2n]]) }, { of: new Map([[1, 2n]]) }],
    [{ a: 'text' }, { a: expect.stringContaining('ex') }],
    [{ a: 1 }, { b: undefined }],
    [null, null],
    [Number.NaN, Number.NaN],
  ])('%j has %j', (actual, expected) => {
    expect(matchesPart(actual, expected)).toBe(true);
  });

  it.each([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: [1, 2] }, { a: [1] }],
    [{ a: [1] }, { a: { 0: 2 } }],
    [{ at: new Date(5) }, { at: new Date(6) }],
    [{ a: 'text' }, { a: expect.any(Number) }],
    ['text', {}],
    [null, {}],
    [{}, null],
  ])('%j does not have %j', (actual, expected) => {
    expect(matchesPart(actual, expected)).toBe(false);
  });
});
