import { describe, expect, it } from 'vitest';
import {
  countdown,
  formatAge,
  formatClock,
  formatDateTime,
  formatDuration,
  formatMinute,
  formatMoment,
  isoTime,
  showTimesIn,
} from './time.js';

describe('formatAge', () => {
  it.each([
    [-5_000, '0 s'],
    [0, '0 s'],
    [999, '0 s'],
    [59_999, '59 s'],
    [60_000, '1 min'],
    [3_599_999, '59 min'],
    [3_600_000, '1 h'],
    [172_799_999, '47 h'],
    [172_800_000, '2 d'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatAge(ms)).toBe(text);
  });
});

describe('formatDuration', () => {
  it.each([
    [-1, '0 ms'],
    [0, '0 ms'],
    [0.0123, '12.3 µs'],
    [0.84, '840 µs'],
    [0.9996, '1 ms'],
    [1.254, '1.25 ms'],
    [999.4, '999 ms'],
    [999.6, '1 s'],
    [12_340, '12.3 s'],
    [59_999, '60 s'],
    [60_000, '1 min'],
    [252_000, '4 min 12 s'],
    [3_599_999, '1 h'],
    [5_400_000, '1 h 30 min'],
    [93_600_000, '1 d 2 h'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('countdown', () => {
  it.each([
    [30_000, { overdue: false, text: '30 s' }],
    [29_001, { overdue: false, text: '30 s' }],
    [1, { overdue: false, text: '1 s' }],
    [0, { overdue: false, text: '0 s' }],
    [-1, { overdue: true, text: '0 s' }],
    [-4_200, { overdue: true, text: '4 s' }],
    [125_000, { overdue: false, text: '2 min 5 s' }],
  ])('%d ms', (ms, left) => {
    expect(countdown(ms)).toEqual(left);
  });
});

it('shows a number that is no time as it is, instead of failing', () => {
  expect(formatDateTime(1e300)).toBe('1e+300');
  expect(isoTime(Number.NaN)).toBeUndefined();
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
});

it('shows every kind of time in the chosen zone', () => {
  const atMs = Date.UTC(2026, 2, 29, 0, 59, 59);
  showTimesIn('utc');
  expect([formatClock(atMs), formatMinute(atMs), formatDateTime(atMs)]).toEqual([
    '00:59:59',
    '00:59',
    '29 Mar 2026, 00:59:59',
  ]);
  showTimesIn('local');
  expect(formatClock(atMs)).toBe(new Date(atMs).toTimeString().slice(0, 8));
});

it('names the day of a moment that is not of today', () => {
  showTimesIn('utc');
  const nowMs = Date.UTC(2026, 10, 30, 10);
  expect(formatMoment(nowMs - 60_000, nowMs)).toBe('09:59:00');
  expect(formatMoment(nowMs + 86_400_000, nowMs)).toBe('1 Dec 2026, 10:00:00');
  showTimesIn('local');
});
