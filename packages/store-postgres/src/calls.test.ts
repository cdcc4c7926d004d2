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

it('writes results only where there are any, also empty ones', () => {
  const calls = new Calls('holdfast');
  const [first, ...others] = LEASES;
  expect(calls.of('ack', [LEASES])).toMatchObject({
    statement: calls.statements.ack,
    values: [
      [1, 2, 3],
      [11, 12, 13],
    ],
  });
  const results = [
    { result_text: '', result_bytes: null, result_size: 0 },
    { result_text: null, result_bytes: Buffer.from([]), result_size: 0 },
  ];
  for (const result of results) {
    const call = calls.of('ack', [[{ ...first!, ...result }, ...others]]);
    expect(call.statement).toBe(calls.statements.ackWithResults);
    expect(call.values.slice(2)).toEqual([
      [result.result_text, null, null],
      [result.result_bytes, null, null],
      [0, 0, 0],
    ]);
  }
});

it('reads which jobs are beyond what is kept from one row', () => {
  const { read } = new Calls('holdfast').of('beyondCount', [1, 'completed', 1000, 500]);
  expect(read?.([{ numbers: '{4,9}' }])).toEqual([{ number: 4 }, { number: 9 }]);
  expect(read?.([{ numbers: '{}' }])).toEqual([]);
});

it('takes no lease for live where a library of a caller hands no rows on', () => {
  expect(new Calls('holdfast').of('ack', [LEASES]).read?.([])).toEqual([]);
});
