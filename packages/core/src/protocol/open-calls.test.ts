import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { OpenCalls } from './open-calls.js';

const VALUE_NUMBERS = 2000;

it('gives what belongs to a call once', () => {
  const calls = new OpenCalls<string>();
  calls.add(1, 'one');
  calls.add(2, 'two');
  calls.add(3, 'three');
  expect([calls.get(2), calls.take(2), calls.take(2), calls.get(2), calls.take(4)]).toEqual([
    'two',
    'two',
    undefined,
    undefined,
    undefined,
  ]);
  expect(calls.size).toBe(2);
  expect(calls.takeAll()).toEqual(['one', 'three']);
  expect([calls.size, calls.takeAll()]).toEqual([0, []]);
});

it('keeps nothing of the calls that are over, however old it is itself', () => {
  setFlagsFromString('--expose-gc');
  const collect: (options?: { readonly type: 'minor' }) => void = runInNewContext('gc');
  const calls = new OpenCalls<number[]>();
  let last = 0;
  // One is always open, as claims are.
  const pass = (): void => {
    calls.add(++last, new Array<number>(VALUE_NUMBERS).fill(last));
    calls.take(last - 1);
  };
  for (let count = 0; count < 10; count++) pass();
  collect();
  const before = oldBytes();
  for (let count = 0; count < 1000; count++) {
    pass();
    if (count % 20 === 0) collect({ type: 'minor' });
  }
  expect(oldBytes() - before).toBeLessThan(VALUE_NUMBERS * 4 * 100);
});

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0;
}
