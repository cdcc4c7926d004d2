import { HoldfastModule } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { RECEIPT_ATTEMPTS_MAX } from './poison.js';
import { RECEIPTS, WEBHOOKS } from './queues.js';

@Module({
  imports: [
    HoldfastModule.registerQueue({
      name: RECEIPTS.queue,
      defaults: {
        maxAttempts: RECEIPT_ATTEMPTS_MAX,
        backoff: { kind: 'exponential', baseMs: 500, maxMs: 10_000, jitter: 'full' },
      },
    }),
    HoldfastModule.registerQueue({
      name: WEBHOOKS.queue,
      // Few and soon, so that one sees a webhook fail, wait, fail again and die within a minute. A real shop is more patient.
      defaults: {
        maxAttempts: 4,
        backoff: { kind: 'exponential', baseMs: 1_000, maxMs: 8_000, jitter: 'full' },
      },
    }),
  ],
  controllers: [OrdersController],
  providers: [OrdersService],
  exports: [OrdersService],
})
export class OrdersModule {}
