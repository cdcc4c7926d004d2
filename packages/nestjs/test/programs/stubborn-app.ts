import 'reflect-metadata';
import { HoldfastModule, InjectQueue, logStore, Process, Processor, Queue } from '@holdfast/nestjs';
import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

/** Begins a job that never ends and hears no signal. */
@Processor('work')
class Stubborn {
  @Process('endless')
  endless() {
    console.log('the endless job began');
    return new Promise(() => {});
  }
}

@Injectable()
class Producer implements OnApplicationBootstrap {
  constructor(@InjectQueue('work') private readonly work: Queue) {}

  async onApplicationBootstrap() {
    if (process.env.ENQUEUE === 'yes') await this.work.enqueue('endless', null, { timeoutMs: 6 * 3_600_000 });
  }
}

@Module({
  imports: [
    HoldfastModule.forRoot({
      store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? '' }),
      graceMs: 200,
      lockWaitMs: Number(process.env.LOCK_WAIT_MS ?? 0),
    }),
    HoldfastModule.registerQueue({ name: 'work' }),
  ],
  providers: [Stubborn, Producer],
})
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule);
app.enableShutdownHooks(['SIGTERM']);
// After SIGTERM Nest ends the process itself; after this signal it has to end because nothing holds it.
process.once('SIGUSR2', () => void app.close());
console.log('up');
