import { expect, it } from 'vitest';
import { DoubleColumn, RareColumn, WordColumn } from './number-columns.js';

it('gives what was added, however much, and begins anew', () => {
  for (const column of [new DoubleColumn(), new WordColumn()]) {
    for (const count of [1000, 3, 0, 70]) {
      for (let number = 0; number < count; number++) column.push(number * 7);
      expect(column.count).toBe(count);
      expect([...column.take()]).toEqual(Array.from({ length: count }, (_, number) => number * 7));
    }
  }
});

it('gives a copy that later batches leave alone', () => {
  const column = new WordColumn();
  column.push(1);
  const taken = column.take();
  column.push(2);
  expect([...taken]).toEqual([1]);
  expect(taken.buffer.byteLength).toBe(4);
});

it('forgets what was cut off, and no more than there was', () => {
  const column = new DoubleColumn();
  for (const number of [1, 2, 3]) column.push(number);
  column.cutTo(5);
  column.cutTo(1);
  column.push(9);
  expect([...column.take()]).toEqual([1, 9]);
});

it('says which items have no number, or that none has', () => {
  const column = new RareColumn();
  column.put(0, undefined);
  expect(column.take(3)).toBeUndefined();
  column.put(0, undefined);
  column.put(1, 5);
  column.put(2, undefined);
  column.put(3, 0);
  column.put(4, undefined);
  expect([...column.take(5)!]).toEqual([Number.NaN, 5, Number.NaN, 0, Number.NaN]);
  expect(column.take(2)).toBeUndefined();
});

it('forgets rare numbers that were cut off', () => {
  const column = new RareColumn();
  column.put(2, 7);
  column.cutTo(1);
  expect([...column.take(1)!]).toEqual([Number.NaN]);
  column.put(0, 7);
  column.cutTo(0);
  expect(column.take(4)).toBeUndefined();
});
