import type { CompletedLease } from '@holdfast/sql-store';
import { expect, it } from 'vitest';
import { Calls } from './calls.js';

const RESULT = { result_text: null, result_bytes: null, result_size: 0 };
const LEASES: CompletedLease[] = [1, 2, 3].map((number) => ({ number, token: 10 + number, ...RESULT }));

it('reads from the answer to an ack which leases were live', () => {
  const { read } = new Calls('holdfast').of('ack', [LEASES]);
  expect(read?.([{ places: null }])).toEqual(LEASES);
  expect(read?.([{ places: '{3,1}' }])).toEqual([LEASES[2], LEASES[0]]);
  expect(read?.([{ places: '{}' }])).toEqual([]);
});

it('takes no lease for live where a library of a caller hands no rows on', () => {
  expect(new Calls('holdfast').of('ack', [LEASES]).read?.([])).toEqual([]);
});
