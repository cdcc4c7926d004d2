import { expect, it } from 'vitest';
import { visibleJson, visibleJsonLines, visibleText } from './visible-text.js';

const UNSAFE =
  '\u0000\u0007\u001b\u007f\u009b\u00ad\u061c\u200b\u200f\u2028\u2029\u202a\u202e\u2066\u2069\ufeff\u{e0041}';

it('writes what a terminal could act on, or what could hide or turn text, as escapes', () => {
  expect(visibleText('a\u001b[31m\u202eb\r\n')).toBe('a\\u001b[31m\\u202eb\\u000d\\u000a');
  expect(visibleText(UNSAFE)).toMatch(/^(\\u[0-9a-f]{4})+$/);
});

it('leaves all that can be read', () => {
  const text = 'Größe 10 €, 数, עברית, 😀 \\ "';
  expect(visibleText(text)).toBe(text);
});

it('escapes in JSON so that the value stays', () => {
  const value = { [UNSAFE]: `${UNSAFE}\n`, half: '\ud800' };
  for (const text of [visibleJson(value), visibleJsonLines(value)]) {
    expect(text.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
    expect(JSON.parse(text)).toEqual(value);
  }
  expect(visibleJson(value)).not.toContain('\n');
  expect(visibleJsonLines(value).split('\n')).toHaveLength(4);
});
