// An application of somebody else, as small as it can be: one job, from enqueue to result, and one page of the dashboard.
import 'reflect-metadata';
import { rmSync } from 'node:fs';
import { type AddressInfo } from 'node:net';
import {
  getQueueToken,
  HoldfastAdminModule,
  HoldfastModule,
  InjectQueue,
  type Job,
  logStore,
  Process,
  Processor,
  Queue,
} from '@holdfast/nestjs';
import { Controller, Injectable, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { createAdapter } from './adapter.js';

const directory = 'queue-data';

interface Jobs {
  add: { one: number; other: number };
}

@Injectable()
class Calculator {
  add(one: number, other: number) {
    return one + other;
  }
}

@Processor('sums')
class Sums {
  constructor(private readonly calculator: Calculator) {}

  @Process('add')
  add({ payload }: Job<Jobs['add']>) {
    return this.calculator.add(payload.one, payload.other);
  }
}

@Controller('sums')
class SumsController {
  constructor(@InjectQueue('sums') private readonly sums: Queue<Jobs>) {}

  @Post()
  async order() {
    return (await this.sums.enqueue('add', { one: 40, other: 2 })).id;
  }
}

@Module({
  imports: [
    HoldfastModule.forRoot({ store: logStore({ directory }) }),
    HoldfastModule.registerQueue({ name: 'sums' }),
    HoldfastAdminModule.forRoot({ path: '/admin/queues', allowLoopbackInDevelopment: true }),
  ],
  controllers: [SumsController],
  providers: [Calculator, Sums],
})
class AppModule {}

async function main() {
  rmSync(directory, { recursive: true, force: true });
  const app = await NestFactory.create(AppModule, createAdapter(), { logger: ['error', 'warn'] });
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const id = await (await fetch(`${origin}/sums`, { method: 'POST' })).text();
  const result = await app.get(getQueueToken<Jobs>('sums')).waitFor(id);
  const page = await fetch(`${origin}/admin/queues`);
  const script = /src="([^"]+\.js)"/.exec(await page.text())?.[1] ?? 'no script in the page';
  const scriptAnswer = await fetch(new URL(script, `${page.url}/`));
  await scriptAnswer.text();
  await app.close();
  console.log(JSON.stringify({ result, page: page.status, script: scriptAnswer.status }));
}

// Without top-level await, which an application of CommonJS modules does not have.
main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
