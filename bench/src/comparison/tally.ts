import type { Order } from '../order.js';

const ORDER_ID = 'order-'.length;

/** How often each order was handled: a queue that loses one or hands one out twice has no figure. */
export class Tally {
  readonly #attempts: Uint8Array;
  total = 0;

  constructor(orders: number) {
    this.#attempts = new Uint8Array(orders);
  }

  /** @returns which attempt of this order it is */
  note(order: Order): number {
    const number = numberOf(order);
    if (!(number < this.#attempts.length)) throw new RangeError(`${order.orderId} was never enqueued.`);
    this.total++;
    return ++this.#attempts[number]!;
  }

  /** @throws Error naming the first order that was handled more or less often than it should */
  expect(attemptsOf: (number: number) => number): void {
    const wrong = this.#attempts.findIndex((attempts, number) => attempts !== attemptsOf(number));
    if (wrong === -1) return;
    throw new Error(`Order ${wrong} was handled ${this.#attempts[wrong]} times, not ${attemptsOf(wrong)}.`);
  }
}

export function numberOf({ orderId }: Order): number {
  return Number(orderId.slice(ORDER_ID));
}
