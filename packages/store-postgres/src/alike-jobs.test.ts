import type { NewJobRow } from '@holdfast/sql-store';
import { expect, it } from 'vitest';
import { alikePlaced, alikeValues, numbersOf } from './alike-jobs.js';
import { ALIKE_COLUMNS } from './sql/enqueue-jobs.js';
import { textArray } from './text-array.js';

const JOB: NewJobRow = {
  queue_id: 3,
  name: 'send',
  priority: 100,
  max_attempts: 5,
  backoff_base_ms: 1000,
  backoff_max_ms: 60_000,
  backoff_doubles: true,
  backoff_jitter: 'full',
  backoff_name: null,
  payload_text: '{"a":1}',
  payload_bytes: null,
  payload_size: 7,
  delay_ms: 0,
  starts_at_ms: null,
  expires_in_ms: null,
  headers: null,
  timeout_ms: null,
  dedupe_key: null,
  key_for_ms: null,
};

it('takes jobs that differ in their texts', () => {
  const values = alikeValues([JOB, { ...JOB, payload_text: 'é', payload_size: 2 }]);
  expect(values).toEqual([textArray(['{"a":1}', 'é']), ...ALIKE_COLUMNS.map((column) => JOB[column])]);
});

it('takes no jobs that differ in anything else, wait, hold a key or are bytes', () => {
  const others: Partial<NewJobRow>[] = [
    ...ALIKE_COLUMNS.map((column) => ({ [column]: typeof JOB[column] === 'boolean' ? false : 'another' })),
    { delay_ms: 1 },
    { starts_at_ms: 1 },
    { dedupe_key: 'k' },
    { payload_text: null, payload_bytes: Buffer.from([1]) },
  ];
  for (const other of others) expect(alikeValues([JOB, { ...JOB, ...other }]), JSON.stringify(other)).toBe(undefined);
  for (const other of others.slice(-4)) expect(alikeValues([{ ...JOB, ...other }])).toBe(undefined);
  expect(alikeValues([])).toBe(undefined);
});

it('takes no text whose size in the database is another', () => {
  for (const payload_text of ['a\0b', 'a\u0001b']) {
    expect(alikeValues([JOB, { ...JOB, payload_text, payload_size: 3 }])).toBe(undefined);
  }
});

it('counts on from the first number, or reads every one', () => {
  const placed = (numbers: string) => alikePlaced({ numbers }, [JOB, JOB, JOB]).map(({ number }) => number);
  expect(placed('17')).toEqual([17, 18, 19]);
  expect(placed('{17,20,21}')).toEqual([17, 20, 21]);
  expect(numbersOf('{}')).toEqual([]);
});
