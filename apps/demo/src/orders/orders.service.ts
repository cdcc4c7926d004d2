import { randomUUID } from 'node:crypto';
import { InjectQueue, Queue } from '@holdfast/nestjs';
import { Inject, Injectable } from '@nestjs/common';
import { type DemoConfig } from '../demo-config.js';
import { DEMO_CONFIG } from '../demo-config.module.js';
import { type Order, type OrderForm, totalCents } from './order.js';
import { isPoison, POISON_ATTEMPTS_MAX } from './poison.js';
import { RECEIPTS, type ReceiptJobs, WEBHOOKS, type WebhookJobs } from './queues.js';

export interface PlacedOrder {
  readonly orderId: string;
  /** The job that sends the receipt. */
  readonly jobId: string;
}

/** An order of this run, as the shop's page lists it. */
export interface RecentOrder extends PlacedOrder {
  readonly customer: string;
  readonly totalCents: number;
  readonly placedAtMs: number;
}

const RECENT_MAX = 12;

@Injectable()
export class OrdersService {
  readonly #recent: RecentOrder[] = [];

  constructor(
    @Inject(DEMO_CONFIG) private readonly config: DemoConfig,
    @InjectQueue(RECEIPTS.queue) private readonly receipts: Queue<ReceiptJobs>,
    @InjectQueue(WEBHOOKS.queue) private readonly webhooks: Queue<WebhookJobs>,
  ) {}

  /**
   * Resolves when both jobs of the order are on stable storage: from then on the customer gets a receipt, also if this
   * process is killed on the next line. If it throws, the customer was promised nothing; a receipt may still come.
   */
  async place(form: OrderForm): Promise<PlacedOrder> {
    const order: Order = { orderId: randomUUID(), placedAtMs: Date.now(), ...form };
    // Asked for together, the two share one write and one sync of the disk.
    const [receipt] = await Promise.all([
      this.receipts.enqueue(RECEIPTS.job, order, this.#receiptOptions(order)),
      this.webhooks.enqueue(WEBHOOKS.job, order),
    ]);
    const placed = { orderId: order.orderId, jobId: receipt.id };
    this.#remember({
      ...placed,
      customer: order.customer.name,
      totalCents: totalCents(order),
      placedAtMs: order.placedAtMs,
    });
    return placed;
  }

  /** The latest first. */
  recent(): readonly RecentOrder[] {
    return this.#recent;
  }

  #receiptOptions(order: Order) {
    return this.config.poison && isPoison(order) ? { maxAttempts: POISON_ATTEMPTS_MAX } : undefined;
  }

  #remember(order: RecentOrder): void {
    this.#recent.unshift(order);
    this.#recent.length = Math.min(this.#recent.length, RECENT_MAX);
  }
}
