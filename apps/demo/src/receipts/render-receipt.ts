import { formatCents, type Order, totalCents } from '../orders/order.js';

export interface Receipt {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** The same order always gives the same receipt: a retry sends the very same words. */
export function renderReceipt(order: Order): Receipt {
  return {
    subject: `Your receipt for order ${order.orderId}`,
    text: renderText(order),
    html: renderHtml(order),
  };
}

function renderText(order: Order): string {
  const lines = order.items.map(
    ({ quantity, sku, unitPriceCents }) =>
      `${String(quantity).padStart(4)} × ${sku.padEnd(24)} ${formatCents(quantity * unitPriceCents).padStart(14)}`,
  );
  return [
    `Dear ${order.customer.name},`,
    '',
    'thank you for your order. This is your receipt.',
    '',
    `Order  ${order.orderId}`,
    `Placed ${placedAt(order)}`,
    '',
    ...lines,
    '',
    `${'Total'.padEnd(31)} ${formatCents(totalCents(order)).padStart(14)}`,
    '',
    'Holdfast Shop',
    '',
  ].join('\n');
}

function renderHtml(order: Order): string {
  const rows = order.items.map(
    ({ quantity, sku, unitPriceCents }) =>
      `<tr><td align="right">${quantity} ×</td><td>${escapeHtml(sku)}</td>` +
      `<td align="right">${formatCents(quantity * unitPriceCents)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Receipt</title></head>
<body style="font-family: sans-serif; color: #1a1a1a">
<p>Dear ${escapeHtml(order.customer.name)},</p>
<p>thank you for your order. This is your receipt.</p>
<p>Order <strong>${escapeHtml(order.orderId)}</strong><br>Placed ${placedAt(order)}</p>
<table cellpadding="6">
${rows.join('\n')}
<tr><td></td><td><strong>Total</strong></td><td align="right"><strong>${formatCents(totalCents(order))}</strong></td></tr>
</table>
<p>Holdfast Shop</p>
</body>
</html>
`;
}

function placedAt(order: Order): string {
  return `${new Date(order.placedAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Customers choose their names: none becomes markup in a mail. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
