import { type OrderForm } from './order.js';

/** An order of this article kills the process that works on its receipt, if the demo was started with DEMO_POISON=on. */
export const POISON_SKU = 'poison';

export const RECEIPT_ATTEMPTS_MAX = 8;

/**
 * Each time that a poison order kills the process, the receipts that are under way beside it lose an attempt too. It has fewer
 * attempts than they have, so that it is dead before any of them can be.
 */
export const POISON_ATTEMPTS_MAX = 4;

export function isPoison(order: Pick<OrderForm, 'items'>): boolean {
  return order.items.some(({ sku }) => sku === POISON_SKU);
}
