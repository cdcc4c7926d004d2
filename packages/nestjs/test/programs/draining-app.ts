import 'reflect-metadata';
import {
  HoldfastModule,
  InjectQueue,
  type Job,
  type JobContext,
  logStore,
  Process,
  Processor,
  Queue,
} from '@holdfast/nestjs';
import { type BeforeApplicationShutdown, Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';

/** Tells handlers that the application begins to end. */
@Injectable()
class Ending implements BeforeApplicationShutdown {
  readonly begun: Promise<void>;
  #begin = () => {};

  constructor() {
    this.begun = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  beforeApplicationShutdown() {
    this.#begin();
  }
}

@Processor('work', { leaseMs: 300 })
class Worker {
  constructor(
    @InjectQueue('work') private readonly work: Queue,
    private readonly ending: Ending,
  ) {}

  /** Works on for three leases after the signal, then enqueues what follows from it. */
  @Process('long')
  async long() {
    console.log('long began');
    await this.ending.begun;
    await new Promise((resolve) => setTimeout(resolve, 900));
    for (let index = 0; index < 100; index++) await this.work.enqueue('later', index, { delayMs: 3_600_000 });
    return 'whole';
  }

  @Process('deaf')
  deaf() {
    console.log('deaf began');
    return new Promise(() => {});
  }

  /** Fails when it is asked to stop, but not because of it: that counts. */
  @Process('failing')
  async failing(_: Job, { signal }: JobContext) {
    console.log('failing began');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    throw new RangeError('failed at the very end');
  }
}

@Injectable()
class Producer implements OnApplicationBootstrap {
  constructor(@InjectQueue('work') private readonly work: Queue) {}

  async onApplicationBootstrap() {
    for (const name of (process.env.JOBS ?? '').split(',').filter(Boolean)) await this.work.enqueue(name, null);
  }
}

@Module({
  imports: [
    HoldfastModule.forRoot({
      store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? '' }),
      graceMs: Number(process.env.GRACE_MS ?? 10_000),
    }),
    HoldfastModule.registerQueue({ name: 'work' }),
  ],
  providers: [Worker, Producer, Ending],
})
class AppModule {}

const app =
  process.env.PLATFORM === 'fastify'
    ? await NestFactory.create(AppModule, new FastifyAdapter())
    : await NestFactory.create(AppModule);
app.enableShutdownHooks(['SIGTERM']);
await app.listen(0, '127.0.0.1');
// After SIGTERM Nest ends the process itself; after this signal it has to end because nothing holds it.
process.once('SIGUSR2', () => void app.close());
console.log(`up at ${await app.getUrl()}`);
