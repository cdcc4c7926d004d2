import fc from 'fast-check';
import { expect, it } from 'vitest';
import { givenText, storedText } from './stored-text.js';

it('gives back every text, and keeps none with a NUL', () => {
  const character = fc.constantFrom('a', '\0', '\u0001', '0', '1', '\\', 'é');
  fc.assert(
    fc.property(fc.array(character), (characters) => {
      const text = characters.join('');
      expect(storedText(text)).not.toContain('\0');
      expect(givenText(storedText(text))).toBe(text);
    }),
  );
});

it('leaves ordinary texts as they are', () => {
  expect(storedText('{"a":"\\u0000"}')).toBe('{"a":"\\u0000"}');
});
