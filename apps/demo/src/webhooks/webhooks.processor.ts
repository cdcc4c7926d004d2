import { type Job, type JobContext, Process, Processor } from '@holdfast/nestjs';
import { type Order } from '../orders/order.js';
import { WEBHOOKS } from '../orders/queues.js';
import { Receiver } from '../receiver/receiver.js';
import { callWebhook } from './webhook-call.js';

@Processor(WEBHOOKS.queue, { concurrency: 20, leaseMs: 10_000 })
export class WebhooksProcessor {
  constructor(private readonly receiver: Receiver) {}

  @Process(WEBHOOKS.job)
  call(job: Job<Order>, context: JobContext) {
    return callWebhook(this.receiver.url, job.payload, context.signal);
  }
}
