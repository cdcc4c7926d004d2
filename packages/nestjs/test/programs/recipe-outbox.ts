// The outbox of docs/recipes/outbox.md, and its process ended at each place that the page names.
import 'reflect-metadata';
import { getStoreToken, HoldfastModule, type JobStore, logStore } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import pg from 'pg';
import { Orders } from './outbox/orders.js';
import { OutboxModule } from './outbox/outbox.module.js';
import { ReceiptsOutbox } from './outbox/receipts-outbox.js';

@Module({
  imports: [
    HoldfastModule.forRoot({ store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? '' }) }),
    OutboxModule,
  ],
})
class AppModule {}

const ORDERS = 20;
const { STEP } = process.env;
// Ended between commit and enqueue: what was committed is never carried over.
if (STEP === 'place') ReceiptsOutbox.prototype.onApplicationBootstrap = () => {};
if (STEP === 'killed before delete') {
  const query: (...args: unknown[]) => unknown = pg.Client.prototype.query;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client, ...args: unknown[]) {
      if (String(args[0]).startsWith('DELETE FROM "outbox"')) process.kill(process.pid, 'SIGKILL');
      return query.apply(this, args);
    },
  });
}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const orders = app.get(Orders);
const pool = app.get(pg.Pool);
if (STEP === 'place') {
  for (let number = 1; number <= ORDERS; number++) await orders.place(`o-${number}`, 'ada@example.org');
  // The order is there already, so the transaction is rolled back, and its job with it.
  await orders.place('o-1', 'bob@example.org').catch((error: unknown) => console.log(`refused: ${error}`));
}
if (STEP !== 'place') {
  if (STEP === 'carry') await orders.place('o-live', 'ada@example.org');
  while ((await pool.query('SELECT 1 FROM outbox LIMIT 1')).rowCount !== 0)
    await new Promise((go) => setTimeout(go, 20));
  const { rows } = await app.get<JobStore>(getStoreToken()).browse({ queue: 'receipts' }, { limit: 200 });
  const stored = await Promise.all(rows.map(({ id }) => app.get<JobStore>(getStoreToken()).job(id)));
  const ids = stored.map((job) => JSON.parse(String(job?.payload)).orderId);
  console.log(`carried ${JSON.stringify({ jobs: ids.length, orders: new Set(ids).size })}`);
}
await app.close();
console.log('ended');
