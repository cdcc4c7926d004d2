import { describe, expect, it } from 'vitest';
import { visibleParts, visibleText } from './hostile-text.js';

describe('visibleText', () => {
  it.each([
    ['plain text, markup included', '<b>ü漢</b> 👍🏽', '<b>ü漢</b> 👍🏽'],
    ['what turns the direction', 'evil\u202egpj.exe', 'evil\\u202egpj.exe'],
    ['isolates', '\u2066a\u2069', '\\u2066a\\u2069'],
    ['what has no width', 'ad\u200bmin\ufeff\u00ad', 'ad\\u200bmin\\ufeff\\u00ad'],
    ['controls', 'a\0b\u0007c\u001b[31m\u0085', 'a\\0b\\u0007c\\u001b[31m\\u0085'],
    ['line breaks of all kinds', 'a\nb\rc\td\u2028e', 'a\\nb\\rc\\td\\u2028e'],
    ['tag characters', 'a\u{e0041}', 'a\\u{e0041}'],
    ['half a surrogate pair', 'a\ud83d', 'a\\ud83d'],
  ])('%s', (_what, text, shown) => {
    expect(visibleText(text)).toBe(shown);
  });
});

it('keeps newlines and tabs in texts of several lines, and nothing else', () => {
  expect(visibleParts('a\n\tb\r\u202e', true)).toEqual([
    { text: 'a\n\tb', escaped: false },
    { text: '\\r', escaped: true },
    { text: '\\u202e', escaped: true },
  ]);
});

it('marks what is an escape, so that a text which contains "\\u202e" cannot pretend', () => {
  expect(visibleParts('\\u202e')).toEqual([{ text: '\\u202e', escaped: false }]);
});
