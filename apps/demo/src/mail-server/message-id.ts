import { createHash } from 'node:crypto';

const SHOP_DOMAIN = 'shop.holdfast.example';

/**
 * The Message-ID of an order's receipt. It is made from the order alone, so that every attempt to send the receipt sends
 * the same message, and the receiving side can tell a second copy from a second order.
 */
export function receiptMessageId(orderId: string): string {
  return `<order-${orderId}@${SHOP_DOMAIN}>`;
}

/**
 * The name of the one file that keeps the message of this id. Two ids never share a name, and nothing of an id that
 * somebody else chose reaches the file system: it is hashed.
 */
export function mailFileName(messageId: string): string {
  const orderId = receiptPattern.exec(messageId)?.[1];
  if (orderId !== undefined) return `order-${orderId}.eml`;
  return `id-${createHash('sha256').update(messageId).digest('hex')}.eml`;
}

/** Whether this can be the name of a kept mail: no path, no temporary file, nothing else of the directory. */
export function isMailFileName(name: string): boolean {
  return /^(?:order-[0-9a-f-]{36}|id-[0-9a-f]{64})\.eml$/.test(name);
}

const receiptPattern = /^<order-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@shop\.holdfast\.example>$/;
