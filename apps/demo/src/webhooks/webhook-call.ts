import { UnrecoverableError } from '@holdfast/nestjs';
import { type Order, totalCents } from '../orders/order.js';
import { withPatience } from './patience.js';

/** No answer for so long counts as a failure. Well below the lease, so that the attempt ends by our own decision. */
export const PATIENCE_MS = 2_000;

/**
 * Tells the receiver of an order. The receiver may hear of one order twice and is given the order id to notice.
 *
 * @throws UnrecoverableError when the receiver says that it never wants to hear of it again (410).
 * @throws Error in all other cases in which trying again can help.
 */
export async function callWebhook(
  url: string,
  order: Order,
  signal: AbortSignal,
): Promise<{ readonly status: number }> {
  const { status, words } = await withPatience(PATIENCE_MS, signal, (patience) => post(url, order, patience));
  if (status === 410) throw new UnrecoverableError(`The receiver answered 410: ${words}`);
  if (status < 200 || status > 299) throw new Error(`The receiver answered ${status}: ${words}`);
  return { status };
}

async function post(url: string, order: Order, signal: AbortSignal) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': order.orderId },
    body: JSON.stringify({ event: 'order.placed', orderId: order.orderId, totalCents: totalCents(order) }),
    redirect: 'error',
    signal,
  });
  // Read to the end, or the connection cannot be used again.
  const words = (await response.text()).trim().slice(0, 200);
  return { status: response.status, words };
}
