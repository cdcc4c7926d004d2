import { expect, it } from 'vitest';
import { snapshotText, unchangedSince } from './change-snapshot.js';

function rowsOf(below: number, stillOpen: string, shown: readonly number[], step = 1) {
  const changes = shown.map((id) => ({ id, still_open: null, is_bound: 0, step: 0 }));
  return [...changes, { id: below, still_open: stillOpen, is_bound: 1, step }];
}

it.each([
  ['nothing has changed yet', rowsOf(1, '', []), '1:1:'],
  ['all have ended, and none is kept', rowsOf(40, '', []), '40:40:'],
  ['one below others is open', rowsOf(1, '', [3, 1, 4]), '2:5:2'],
  ['the first behind the bound is open', rowsOf(10, '', [12]), '10:13:10,11'],
  ['an old one is open', rowsOf(100, '7,9', [100]), '7:101:7,9'],
  ['an old one was open, and has ended', rowsOf(100, '7,9', [7, 100, 102]), '9:103:9,101'],
  ['this server leaves numbers out', rowsOf(1, '', [3, 10, 24], 7), '17:25:17'],
  ['several servers were written to', rowsOf(1, '', [1, 2, 6], 3), '3:7:3,4,5'],
])('%s', (_, rows, snapshot) => {
  expect(snapshotText(rows)).toBe(snapshot);
});

it('counts changes as open behind those that are too many', () => {
  const [first, end, open = ''] = snapshotText(rowsOf(1, '', [1_000_000])).split(':');
  expect([first, end]).toEqual(['1', '501']);
  expect(open.split(',')).toHaveLength(500);
});

it('asks for what was there before, and was not under way', () => {
  expect(unchangedSince('x.changed_in', '7:101:7,9')).toEqual({
    text: 'x.changed_in < ? and x.changed_in not in (?, ?)',
    values: [101, 7, 9],
  });
  expect(unchangedSince('x.changed_in', '5:5:')).toEqual({ text: 'x.changed_in < ?', values: [5] });
  expect(unchangedSince('x.changed_in', null)).toEqual({ text: 'true', values: [] });
});
