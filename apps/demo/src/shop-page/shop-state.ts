import { type KeptMail } from '../mail-server/mail-store.js';
import { type RecentOrder } from '../orders/orders.service.js';
import { type ReceiverReport } from '../receiver/receiver.js';

/** What the shop's page shows. */
export interface ShopState {
  readonly pid: number;
  readonly customer: { readonly running: boolean };
  readonly receiver: ReceiverReport;
  readonly orders: readonly (RecentOrder & {
    /** Absent until the receipt is in the mailbox. */
    readonly receiptFile?: string;
  })[];
  readonly mailbox: { readonly total: number; readonly duplicatesDropped: number; readonly mails: readonly KeptMail[] };
}
