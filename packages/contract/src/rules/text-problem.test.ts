import { expect, it } from 'vitest';
import { bytesBeyond } from './text-problem.js';

const beyond = (payloads: readonly (string | Uint8Array | undefined)[], bytesMax: number) =>
  bytesBeyond(payloads, (payload) => payload, bytesMax);

it('counts the bytes of many payloads exactly where they come near the limit', () => {
  // Three bytes of UTF-8 each, the most that a UTF-16 unit needs.
  expect(beyond(['€€', '€'], 9)).toBeUndefined();
  expect(beyond(['€€', '€'], 8)).toBe(9);
  expect(beyond(['abc', '😀', new Uint8Array(5), undefined], 12)).toBeUndefined();
  expect(beyond(['abc', '😀', new Uint8Array(5), undefined], 11)).toBe(12);
  expect(beyond([], 0)).toBeUndefined();
});
