import { expect, it } from 'vitest';
import { textArray } from './text-array.js';

it('writes how many texts there are, and each with the count of its bytes', () => {
  const head = '00000001 00000000 00000019 00000002 00000001';
  const texts = `00000003 ${Buffer.from('a"\\').toString('hex')} 00000002 ${Buffer.from('é').toString('hex')}`;
  expect(textArray(['a"\\', 'é']).toString('hex')).toBe(`${head}${texts}`.replaceAll(' ', ''));
});
