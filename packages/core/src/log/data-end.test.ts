import { expect, it } from 'vitest';
import { findDataEnd } from './data-end.js';

/** Hands out half of what is asked for, as a disk may. */
function fileOf(contents: Uint8Array) {
  return {
    read(into: Uint8Array, position: number): number {
      const found = contents.subarray(position, position + Math.ceil(into.length / 2));
      into.set(found);
      return found.length;
    },
  };
}

it.each([
  ['an empty file', 0, [], 0],
  ['a file of zeros', 300_000, [], 0],
  ['a file without zeros at its end', 300_000, [5, 299_999], 300_000],
  ['a file that ends in a few', 300_000, [299_990], 299_991],
  ['a file that ends in more than are read at once', 300_000, [0, 7], 8],
  ['a byte at the end of a piece', 300_000, [300_000 - 4096 - 65_536 - 1], 300_000 - 4096 - 65_536],
  ['a byte at the beginning of a piece', 300_000, [300_000 - 4096 - 65_536], 300_000 - 4096 - 65_536 + 1],
])('finds the last byte that is not zero: %s', (_what, size, places, end) => {
  const contents = new Uint8Array(size);
  for (const place of places) contents[place] = 1;
  expect(findDataEnd(fileOf(contents), size)).toBe(end);
});
