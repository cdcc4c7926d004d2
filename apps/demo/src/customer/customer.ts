import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type DemoConfig } from '../demo-config.js';
import { DEMO_CONFIG } from '../demo-config.module.js';
import { OrdersService } from '../orders/orders.service.js';
import { SeededRandom } from '../seeded-random.js';
import { plausibleOrder } from './plausible-order.js';

const PAUSE_MS_LEAST = 500;
const PAUSE_MS_MOST = 1_500;

/** Somebody who keeps buying, about an order a second, so that there is something to see. */
@Injectable()
export class Customer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #logger = new Logger('Customer');
  readonly #random: SeededRandom;
  #timer: NodeJS.Timeout | undefined;
  #running = false;

  constructor(
    @Inject(DEMO_CONFIG) private readonly config: DemoConfig,
    @Inject(OrdersService) private readonly orders: Pick<OrdersService, 'place'>,
  ) {
    // Not the receiver's seed: its moods would follow the customer's taste.
    this.#random = new SeededRandom(config.seed + 1);
  }

  get running(): boolean {
    return this.#running;
  }

  onApplicationBootstrap(): void {
    if (this.config.customer) this.start();
  }

  onModuleDestroy(): void {
    this.stop();
  }

  /** Does nothing when the customer shops already. */
  start(): void {
    if (this.#running) return;
    this.#running = true;
    this.#plan();
  }

  /** An order that is under way is still placed. */
  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  #plan(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#shop(), this.#random.between(PAUSE_MS_LEAST, PAUSE_MS_MOST));
    this.#timer.unref();
  }

  async #shop(): Promise<void> {
    try {
      await this.orders.place(plausibleOrder(this.#random));
    } catch (error) {
      if (this.#running)
        this.#logger.error(`An order was not taken: ${error instanceof Error ? error.message : error}`);
    }
    if (this.#running) this.#plan();
  }
}
