import { describe, expect, it } from 'vitest';
import { isInternalQueue, isSearch, payloadHas } from './filter-rules.js';

describe('a filter', () => {
  it('is a search where counters do not answer it', () => {
    expect(isSearch({ state: 'dead', queue: 'a', name: 'b' })).toBe(false);
    expect(isSearch({ attemptsMin: 0 })).toBe(true);
  });

  it('knows queues of Holdfast by their name', () => {
    expect([
      isInternalQueue('holdfast.operations'),
      isInternalQueue('holdfast'),
      isInternalQueue('my.holdfast.x'),
    ]).toEqual([true, false, false]);
  });

  it.each([
    ['{"a":{"b":[1,{"c":"x"}]}}', 'a.b.1.c', 'x', true],
    ['{"a":{"b":[1,{"c":"x"}]}}', 'a.b.0', '1', true],
    ['{"a":true}', 'a', 'true', true],
    ['{"a":null}', 'a', 'null', true],
    ['{"a":"\\u0078"}', 'a', 'x', true],
    ['{"a":""}', 'a', '', true],
    ['{"a":{}}', 'a.constructor', 'x', false],
    ['{"__proto__":"x"}', '__proto__', 'x', true],
    ['{"a":{"b":1}}', 'a', '1', false],
    ['"x"', 'length', '1', false],
    ['{"a":"x"', 'a', 'x', false],
  ])('looks into %s at %s for %s: %s', (payload, path, value, has) => {
    expect(payloadHas(payload, { path, value })).toBe(has);
  });
});
