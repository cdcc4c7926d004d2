import { STORE_LIMITS } from '@holdfast/contract/rules';
import type { MetaRow } from './statements.js';

/** What a moment is called outside of the store: `store.base.transactions.open-open-…`, numbers in base 36, open ones from the base on. */
const AS_OF = /^([a-z0-9]+)\.([0-9a-z]{1,13})\.([0-9a-z]{1,13})\.((?:[0-9a-z]{1,13}(?:-[0-9a-z]{1,13})*)?)$/;
const RADIX = 36;

/** What moments of a store are called by: its own name, and that of the database server. */
export function momentPlace({ store_id, cluster = '0' }: Pick<MetaRow, 'store_id' | 'cluster'>): string {
  return `${store_id}${BigInt(cluster).toString(RADIX)}`;
}

/**
 * A snapshot of the database as the name of a moment: `xmin:xmax:xip,xip,…`. Jobs that a transaction changed which the snapshot does not
 * show have changed since, whenever their calls began. Where too many transactions were open for a name, those behind the last that it can
 * hold count as open: fewer jobs are then in the plan, never others.
 */
export function asOfText(snapshot: string, place: string): string {
  const [first = '0', end = '0', open = ''] = snapshot.split(':');
  const base = BigInt(first);
  const bytesMax = STORE_LIMITS.searchTextBytesMax - place.length - 2 * 14;
  const kept: string[] = [];
  let length = 0;
  for (const transaction of open === '' ? [] : open.split(',')) {
    const since = (BigInt(transaction) - base).toString(RADIX);
    length += since.length + 1;
    if (length > bytesMax) return [place, base.toString(RADIX), since, kept.join('-')].join('.');
    kept.push(since);
  }
  return [place, base.toString(RADIX), (BigInt(end) - base).toString(RADIX), kept.join('-')].join('.');
}

/** The snapshot of a moment, or `undefined` for one that no store has named so. */
export function snapshotOf(asOf: string, place: string): { readonly text: string; readonly end: string } | undefined {
  const [, ofPlace, base = '', since = '', open = ''] = asOf.match(AS_OF) ?? [];
  if (ofPlace !== place) return undefined;
  const first = numberIn(base);
  const transactions = open === '' ? [] : open.split('-').map((text) => first + numberIn(text));
  const end = first + numberIn(since);
  // A database would take any other list for no snapshot, and fail the call.
  if (first === 0n || !isAscending([...transactions, end])) return undefined;
  return { text: `${first}:${end}:${transactions.join(',')}`, end: String(end) };
}

function isAscending(numbers: readonly bigint[]): boolean {
  return numbers.every((number, index) => index === 0 || number > numbers[index - 1]!);
}

function numberIn(text: string): bigint {
  let number = 0n;
  for (const digit of text) number = number * BigInt(RADIX) + BigInt(Number.parseInt(digit, RADIX));
  return number;
}
