import { type Order } from './order.js';

/** The queues of the shop, each with the one kind of job in it. */
export const RECEIPTS = { queue: 'receipts', job: 'send-receipt' } as const;
export const WEBHOOKS = { queue: 'webhooks', job: 'order-placed' } as const;

/** Their payloads by job name. */
export type ReceiptJobs = { [RECEIPTS.job]: Order };
export type WebhookJobs = { [WEBHOOKS.job]: Order };
