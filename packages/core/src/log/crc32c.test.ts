import { crc32c as nativeCrc32c } from '@node-rs/crc32';
import { expect, it } from 'vitest';
import { crc32c } from './crc32c.js';

const LENGTHS = [0, 1, 15, 16, 17, 31, 32, 33, 63, 200, 383, 384, 385, 1000, 70_000];
const bytes = Uint8Array.from({ length: 70_100 }, (_, index) => (index * 7919) >>> 3);

it('is CRC-32C: Castagnoli, not the sum of zlib', () => {
  expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
});

it.each(LENGTHS)('sums %i bytes in the loop as the native call does', (length) => {
  expect(crc32c(bytes, 5, 5 + length)).toBe(nativeCrc32c(bytes.subarray(5, 5 + length)));
});

it.each(LENGTHS)('sums %i bytes in pieces as at once', (length) => {
  const middle = Math.floor(length / 3);
  expect(crc32c(bytes, middle, length, crc32c(bytes, 0, middle))).toBe(crc32c(bytes, 0, length));
});

it('sees zeros: a block of them has a sum that depends on its length', () => {
  expect(crc32c(new Uint8Array(8))).not.toBe(0);
  expect(crc32c(new Uint8Array(8))).not.toBe(crc32c(new Uint8Array(16)));
});

it('sums views of one buffer by what they show, in turn, with and without a DataView', () => {
  const views = [bytes.subarray(3, 103), bytes.subarray(50, 150), Buffer.from(bytes.subarray(7, 107))];
  for (const view of [...views, ...views]) {
    const wanted = nativeCrc32c(view.subarray(20, 90));
    expect(crc32c(view, 20, 90)).toBe(wanted);
    expect(crc32c(view, 20, 90, 0, new DataView(view.buffer, view.byteOffset, view.length))).toBe(wanted);
  }
});
