import { expect, it } from 'vitest';
import { arrayLiteral } from './array-literal.js';

it('writes numbers, truth, texts, bytes and nulls as PostgreSQL reads them', () => {
  expect(arrayLiteral([1, null, 2.5])).toBe('{1,NULL,2.5}');
  expect(arrayLiteral([true, false])).toBe('{true,false}');
  expect(arrayLiteral(['a', '', 'NULL', '{},', 'a"b\\c', null])).toBe('{"a","","NULL","{},","a\\"b\\\\c",NULL}');
  expect(arrayLiteral([Buffer.from([0, 255]), null])).toBe('{"\\\\x00ff",NULL}');
});

it('leaves out an array of nothing but nulls, which unnest fills up', () => {
  expect(arrayLiteral([null, null])).toBe('{}');
  expect(arrayLiteral([])).toBe('{}');
});
