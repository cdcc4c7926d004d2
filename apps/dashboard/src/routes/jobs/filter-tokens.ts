import type { JobFilter } from '@holdfast/contract';
import { spanMs } from './filter-spans.js';

/**
 * The language of the filter bar: words with spaces between, each `key:value`; a value with spaces stands in double quotes. A word
 * without a key is an id (or its beginning) if it looks like one, else a name.
 */

/** What a filter asks for, as the server takes it. Spans of time stay spans: they move with the clock. */
export type AskedFilter = Omit<JobFilter, 'state' | 'payload'> & {
  readonly payloadPath?: string;
  readonly payloadValue?: string;
  readonly olderThanMs?: number;
  /** Enqueued within this time before the question. */
  readonly youngerThanMs?: number;
};

export interface ParsedFilter {
  readonly asked: AskedFilter;
  /** In words, one for each token that cannot be used. */
  readonly problems: readonly string[];
}

/** What each key is for, in the order of the completion. */
export const FILTER_KEYS: readonly (readonly [key: string, example: string, meaning: string])[] = [
  ['queue:', 'queue:receipts', 'of this queue'],
  ['name:', 'name:send', 'with exactly this name'],
  ['id:', 'id:k7vqm-12', 'whose id begins so'],
  ['error:', 'error:ECONNREFUSED', 'whose last error has this in its message'],
  ['class:', 'class:TimeoutError', 'whose last error is of this class'],
  ['attempts:', 'attempts:>3', 'started more often than that'],
  ['age:', 'age:>10m', 'enqueued longer ago than that (s, m, h, d)'],
  ['enqueued:', 'enqueued:2026-11-29T10:00..', 'enqueued in this time'],
  ['changed:', 'changed:..2026-11-29', 'in their state since this time'],
  ['payload.', 'payload.user.id:42', 'with this value in a field of the payload'],
];

const ID = /^[a-z0-9]{2,12}-[a-z0-9]+$/;

/** Cuts a text into words; quotes keep spaces, and `\"` is a quote. */
export function wordsOf(text: string): readonly string[] {
  return text.match(/(?:[^\s"]|"(?:\\.|[^"\\])*"?)+/g) ?? [];
}

export function parseFilter(text: string): ParsedFilter {
  let asked: AskedFilter = {};
  const problems: string[] = [];
  for (const word of wordsOf(text)) {
    const meant = meaningOf(word);
    if (typeof meant === 'string') problems.push(meant);
    else asked = { ...asked, ...meant };
  }
  return { asked, problems };
}

/** One word as a part of the filter, or what is wrong with it. */
function meaningOf(word: string): AskedFilter | string {
  const split = /^([a-zA-Z]+(?:\.[^:"]+)?):(.*)$/s.exec(word);
  if (split === null) return ID.test(unquoted(word)) ? { id: unquoted(word) } : { name: unquoted(word) };
  const [, key = '', quoted = ''] = split;
  const value = unquoted(quoted);
  if (value === '') return `${key}: needs a value`;
  if (key.startsWith('payload.')) return { payloadPath: key.slice('payload.'.length), payloadValue: value };
  return (
    KEYS[key]?.(value) ??
    `${key}: is not a key. Known are ${FILTER_KEYS.map(([known]) => known.slice(0, -1)).join(', ')}`
  );
}

const KEYS: Readonly<Record<string, ((value: string) => AskedFilter | string) | undefined>> = {
  queue: (queue) => ({ queue }),
  name: (name) => ({ name }),
  id: (id) => ({ id }),
  error: (errorText) => ({ errorText }),
  class: (errorClass) => ({ errorClass }),
  group: (errorFingerprint) => ({ errorFingerprint }),
  attempts(value) {
    const [, more, number] = /^(>=?)(\d{1,9})$/.exec(value) ?? [];
    if (number === undefined) return `attempts:${value} should look like attempts:>3 or attempts:>=3`;
    return { attemptsMin: Number(number) + (more === '>' ? 1 : 0) };
  },
  age(value) {
    const span = spanMs(value.slice(1));
    if (span === undefined || !'<>'.includes(value[0] ?? ''))
      return `age:${value} should look like age:>10m or age:<2h`;
    return value[0] === '>' ? { olderThanMs: span } : { youngerThanMs: span };
  },
  enqueued: (value) => between(value, 'enqueued', 'enqueuedFromMs', 'enqueuedBeforeMs'),
  changed: (value) => between(value, 'changed', 'updatedFromMs', 'updatedBeforeMs'),
};

/** `from..before`, either of them left out. Times without a zone are of the browser's. */
function between(value: string, key: string, from: keyof AskedFilter, before: keyof AskedFilter): AskedFilter | string {
  const [start = '', end = '', ...more] = value.split('..');
  const times = [start, end].map((text) => (text === '' ? undefined : Date.parse(text)));
  const wrong = !value.includes('..') || more.length > 0 || (start === '' && end === '');
  if (wrong || times.some(Number.isNaN)) {
    return `${key}:${value} should look like ${key}:2026-11-29T10:00..2026-11-30`;
  }
  return {
    ...(times[0] === undefined ? {} : { [from]: times[0] }),
    ...(times[1] === undefined ? {} : { [before]: times[1] }),
  };
}

function unquoted(word: string): string {
  return word.replaceAll(/"((?:\\.|[^"\\])*)"?/g, (_, inner: string) => inner.replaceAll(/\\(.)/g, '$1'));
}

/** A value as it can stand in a token. */
export function quoted(value: string): string {
  return /^[^\s"\\]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}

export function token(key: string, value: string): string {
  return `${key}:${quoted(value)}`;
}
