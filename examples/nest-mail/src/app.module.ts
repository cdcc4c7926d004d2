import {
  HoldfastAdminModule,
  HoldfastModule,
  InjectQueue,
  type Job,
  logStore,
  OnJobEvent,
  Process,
  Processor,
  Queue,
  type WorkerEvents,
} from '@holdfast/nestjs';
import { Body, Controller, Injectable, Logger, Module, type OnApplicationShutdown, Post } from '@nestjs/common';
import { createTransport } from 'nodemailer';

interface Order {
  orderId: string;
  email: string;
}

interface ReceiptJobs {
  send: Order;
}

@Controller('orders')
class OrdersController {
  constructor(@InjectQueue('receipts') private readonly receipts: Queue<ReceiptJobs>) {}

  /** Answers when the job is on stable storage. An order that is posted twice has one receipt while the first is under way. */
  @Post()
  place(@Body() order: Order) {
    return this.receipts.enqueue('send', order, { dedupe: { key: `order-${order.orderId}` } });
  }
}

/** Hands mails to the server that SMTP_URL names. */
@Injectable()
class Postman implements OnApplicationShutdown {
  readonly #transport = createTransport({
    url: process.env.SMTP_URL ?? 'smtp://127.0.0.1:1025',
    connectionTimeout: 5_000,
    socketTimeout: 10_000,
  });

  async send({ orderId, email }: Order): Promise<string> {
    const { response } = await this.#transport.sendMail({
      // The same in every attempt: a server that has the mail already can tell.
      messageId: `<receipt-${orderId}@shop.example>`,
      from: 'receipts@shop.example',
      to: email,
      subject: `Your order ${orderId}`,
      text: 'Thank you.',
    });
    return response;
  }

  onApplicationShutdown(): void {
    this.#transport.close();
  }
}

@Processor('receipts', { concurrency: 5, timeoutMs: 30_000 })
class ReceiptsProcessor {
  readonly #logger = new Logger(ReceiptsProcessor.name);

  constructor(private readonly postman: Postman) {}

  @Process('send')
  async send({ payload, attempt }: Job<Order>) {
    const answer = await this.postman.send(payload);
    this.#logger.log(`Receipt of ${payload.orderId} sent, attempt ${attempt}`);
    return { answer };
  }

  @OnJobEvent('failed')
  tellOfFailure({ job, error }: WorkerEvents['failed']) {
    this.#logger.warn(`${job.id}, attempt ${job.attempt}: ${error instanceof Error ? error.message : error}`);
  }
}

@Module({
  imports: [
    HoldfastModule.forRoot({ store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? 'data/queue' }) }),
    HoldfastModule.registerQueue({
      name: 'receipts',
      defaults: { maxAttempts: 8, backoff: { kind: 'exponential', baseMs: Number(process.env.RETRY_MS ?? 5_000) } },
    }),
    // Elsewhere than on your own machine it needs `authorize`: see docs/nestjs.md.
    HoldfastAdminModule.forRoot({ path: '/admin/queues', allowLoopbackInDevelopment: true }),
  ],
  controllers: [OrdersController],
  providers: [Postman, ReceiptsProcessor],
})
export class AppModule {}
