import { writeSync } from 'node:fs';
import { setTimeout as pass } from 'node:timers/promises';
import { type Job, type JobContext, Process, Processor } from '@holdfast/nestjs';
import { Inject } from '@nestjs/common';
import { type DemoConfig } from '../demo-config.js';
import { DEMO_CONFIG } from '../demo-config.module.js';
import { type Order } from '../orders/order.js';
import { isPoison } from '../orders/poison.js';
import { RECEIPTS } from '../orders/queues.js';
import { Postman } from './postman.js';

@Processor(RECEIPTS.queue, { concurrency: 10, leaseMs: 15_000 })
export class ReceiptsProcessor {
  constructor(
    @Inject(DEMO_CONFIG) private readonly config: DemoConfig,
    private readonly postman: Postman,
  ) {}

  /**
   * May run more than once for an order: the process can be killed after the mail is sent and before the job is acked.
   * It keeps no note of what it sent, because no such note can be right: see MailStore, which makes it right by keeping
   * one mail per Message-ID, and docs/recipes/one-mail-per-order.md.
   */
  @Process(RECEIPTS.job)
  async send(job: Job<Order>, context: JobContext) {
    if (this.config.poison && isPoison(job.payload)) killThisProcess(job);
    if (this.config.slowMs > 0) await pass(this.config.slowMs, undefined, { signal: context.signal });
    return this.postman.sendReceipt(job.payload);
  }
}

/** As a handler that runs out of memory or crashes a native module would: no code of this process gets to react. */
function killThisProcess(job: Job<Order>): void {
  // Written before the call returns: what console.log buffers would die with the process.
  writeSync(2, `Poison order ${job.payload.orderId}: attempt ${job.attempt} kills process ${process.pid}.\n`);
  process.kill(process.pid, 'SIGKILL');
}
