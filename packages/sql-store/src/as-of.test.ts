import { STORE_LIMITS } from '@holdfast/contract/rules';
import { expect, it } from 'vitest';
import { asOfText, snapshotOf } from './as-of.js';

it.each(['735:735:', '735:740:735,738', '18446744073709551000:18446744073709551010:18446744073709551000'])(
  'gives back the snapshot %s',
  (snapshot) => {
    const asOf = asOfText(snapshot, 'p1');
    expect(snapshotOf(asOf, 'p1')).toEqual({ text: snapshot, end: snapshot.split(':')[1] });
    expect(snapshotOf(asOf, 'p2')).toBeUndefined();
    expect(snapshotOf(`${asOf}!`, 'p1')).toBeUndefined();
  },
);

it.each(['p1.0.0.', 'p1.0.5.1', 'p1.k.0.0', 'p1.k.5.5', 'p1.k.5.9', 'p1.k.5.3-2', 'p1.k.5.2-2'])(
  'takes %s for no moment: no snapshot is written so, and a database fails on it',
  (asOf) => expect(snapshotOf(asOf, 'p1')).toBeUndefined(),
);

it('counts transactions as open that a name has no room for', () => {
  const open = Array.from({ length: 1000 }, (_, index) => 5_000_000_000 + 7 * index);
  const asOf = asOfText(`${open[0]}:${(open.at(-1) ?? 0) + 1}:${open.join(',')}`, 'p123456789a1b2c3d4');
  expect(asOf.length).toBeLessThanOrEqual(STORE_LIMITS.searchTextBytesMax);
  const [first, end, kept = ''] = snapshotOf(asOf, 'p123456789a1b2c3d4')?.text.split(':') ?? [];
  const known = kept.split(',').map(Number);
  expect(Number(first)).toBe(open[0]);
  expect(known).toEqual(open.slice(0, known.length));
  expect(Number(end)).toBe(open[known.length]);
});
