import { describe, expect, it } from 'vitest';
import { type Order } from '../orders/order.js';
import { renderReceipt } from './render-receipt.js';

const order: Order = {
  orderId: '3f0c2a54-9d3e-4a55-8b36-1f4f4d0c7a10',
  placedAtMs: Date.UTC(2026, 10, 29, 10, 41),
  customer: { name: 'Ada <b>Lovelace</b>', email: 'ada@example.org' },
  items: [
    { sku: 'rope-20m', quantity: 2, unitPriceCents: 1_999 },
    { sku: 'anchor & chain', quantity: 1, unitPriceCents: 123_450 },
  ],
};

describe('renderReceipt', () => {
  it('lists each item with its price and the total', () => {
    const { text } = renderReceipt(order);
    expect(text).toMatch(/ 2 × rope-20m +39\.98\n/);
    expect(text).toMatch(/ 1 × anchor & chain +1,234\.50\n/);
    expect(text).toMatch(/^Total +1,274\.48$/m);
    expect(text).toContain('Placed 2026-11-29 10:41 UTC');
  });

  it('never lets what a customer typed become markup', () => {
    const { html } = renderReceipt(order);
    expect(html).toContain('Dear Ada &lt;b&gt;Lovelace&lt;/b&gt;,');
    expect(html).toContain('anchor &amp; chain');
    expect(html).not.toContain('<b>');
  });

  it('says the same each time', () => {
    expect(renderReceipt(order)).toEqual(renderReceipt({ ...order }));
  });

  it('names the order in the subject', () => {
    expect(renderReceipt(order).subject).toBe(`Your receipt for order ${order.orderId}`);
  });
});
