import { expect, it } from 'vitest';
import { locationOffset, locationSegment, makeLocation, parseSegmentName, segmentName } from './segment-name.js';

it('writes ten digits and reads them back', () => {
  expect(segmentName(42)).toBe('0000000042.segment');
  expect(parseSegmentName('0000000042.segment')).toBe(42);
});

it.each([
  '42.segment',
  '0000000042.segment.tmp',
  '0000000000.segment',
  '0002097152.segment',
  'lock',
  'x0000000042.segment',
])('leaves %s alone', (name) => {
  expect(parseSegmentName(name)).toBeUndefined();
});

it('keeps segment and offset in one exact number', () => {
  const location = makeLocation(2 ** 21 - 1, 2 ** 32 - 8);
  expect(Number.isSafeInteger(location)).toBe(true);
  expect([locationSegment(location), locationOffset(location)]).toEqual([2 ** 21 - 1, 2 ** 32 - 8]);
});
