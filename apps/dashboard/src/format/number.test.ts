import { expect, it } from 'vitest';
import { formatBytes, formatNoun, formatRate, formatTotal } from './number.js';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1 kB'],
  [999_499, '999 kB'],
  [999_999, '1 MB'],
  [1_523_000_000, '1.52 GB'],
  [1e20, '100000 PB'],
])('%d bytes are %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

it('never lets a small rate read as nothing', () => {
  expect([0, 0.01, 0.05, 9.94, 9.96, 1_234.5].map(formatRate)).toEqual(['0', '<0.1', '0.1', '9.9', '10', '1,235']);
});

it('says when a number is only a lower bound', () => {
  expect(formatTotal({ value: 1_204, relation: 'exact' })).toBe('1,204');
  expect(formatTotal({ value: 30_000_000, relation: 'atLeast' })).toBe('at least 30,000,000');
});

it('counts nouns', () => {
  expect([formatNoun(0, 'job'), formatNoun(1, 'job'), formatNoun(1_204, 'job')]).toEqual([
    '0 jobs',
    '1 job',
    '1,204 jobs',
  ]);
});
