import { expect, it } from 'vitest';
import { plausibleOrder } from './customer/plausible-order.js';
import { orderForm } from './orders/order.js';
import { SeededRandom } from './seeded-random.js';

it('gives the same numbers for the same seed, and others for another', () => {
  const numbers = (seed: number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 20 }, () => random.fraction());
  };
  expect(numbers(42)).toEqual(numbers(42));
  expect(numbers(43)).not.toEqual(numbers(42));
});

it('stays within its bounds and reaches both ends', () => {
  const random = new SeededRandom(7);
  const drawn = new Set(Array.from({ length: 500 }, () => random.between(3, 6)));
  expect([...drawn].sort()).toEqual([3, 4, 5, 6]);
  expect(() => random.pick([])).toThrow(RangeError);
});

it('makes orders that the shop takes', () => {
  const random = new SeededRandom(1);
  for (let number = 0; number < 200; number++) {
    const order = plausibleOrder(random);
    expect(orderForm.parse(order)).toEqual(order);
  }
});
