/** The payload of every benchmark: an order of about a hundred bytes of JSON. */
export interface Order {
  readonly orderId: string;
  readonly customer: string;
  readonly totalCents: number;
  readonly currency: string;
  readonly placedAt: string;
}

export function makeOrder(number: number): Order {
  return {
    orderId: `order-${String(number).padStart(10, '0')}`,
    customer: 'customer-4711',
    totalCents: 1299 + (number % 97),
    currency: 'EUR',
    placedAt: '2026-01-31T12:00:00Z',
  };
}
