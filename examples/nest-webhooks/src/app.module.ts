import {
  HoldfastAdminModule,
  HoldfastModule,
  InjectQueue,
  type Job,
  type JobContext,
  logStore,
  Process,
  Processor,
  Queue,
  RetryAfter,
  UnrecoverableError,
} from '@holdfast/nestjs';
import { Body, Controller, Get, Module, NotFoundException, Param, Post } from '@nestjs/common';

interface Webhook {
  /** From your own list of receivers: never call an address that a stranger chose without checking where it leads. */
  url: string;
  orderId: string;
}

interface WebhookJobs {
  'order-placed': Webhook;
}

@Controller('orders')
class OrdersController {
  constructor(@InjectQueue('webhooks') private readonly webhooks: Queue<WebhookJobs>) {}

  @Post()
  place(@Body() webhook: Webhook) {
    return this.webhooks.enqueue('order-placed', webhook);
  }

  @Get('webhooks/:id')
  async webhook(@Param('id') id: string) {
    const job = await this.webhooks.job(id);
    if (job === undefined) throw new NotFoundException();
    return { state: job.state, attempts: job.attempts };
  }
}

/** A receiver that does not answer within `timeoutMs` holds no slot for longer: the signal is aborted, and the attempt has failed. */
@Processor('webhooks', { concurrency: 20, timeoutMs: 5_000 })
class WebhooksProcessor {
  @Process('order-placed')
  async call({ payload: { url, orderId } }: Job<Webhook>, { signal }: JobContext) {
    const response = await fetch(url, {
      method: 'POST',
      // Who is called twice can tell.
      headers: { 'content-type': 'application/json', 'idempotency-key': orderId },
      body: JSON.stringify({ event: 'order.placed', orderId }),
      redirect: 'error',
      signal,
    });
    await response.text(); // or the connection cannot be used again
    const { status, headers, ok } = response;
    if (status === 410) throw new UnrecoverableError('The receiver wants no more of these.');
    const waitSeconds = Number(headers.get('retry-after') ?? Number.NaN);
    if (status === 429 && waitSeconds >= 0) throw new RetryAfter(waitSeconds * 1_000);
    if (!ok) throw new Error(`The receiver answered ${status}.`);
    return { status };
  }
}

@Module({
  imports: [
    HoldfastModule.forRoot({ store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? 'data/queue' }) }),
    HoldfastModule.registerQueue({
      name: 'webhooks',
      defaults: { maxAttempts: 8, backoff: { kind: 'exponential', baseMs: Number(process.env.RETRY_MS ?? 10_000) } },
    }),
    // Elsewhere than on your own machine it needs `authorize`: see docs/nestjs.md.
    HoldfastAdminModule.forRoot({ path: '/admin/queues', allowLoopbackInDevelopment: true }),
  ],
  controllers: [OrdersController],
  providers: [WebhooksProcessor],
})
export class AppModule {}
