// The outbox of docs/recipes/outbox.md on MySQL and MariaDB, and its process ended between enqueue and delete.
import 'reflect-metadata';
import { getQueueToken, getStoreToken, HoldfastModule, type JobStore, logStore, type Queue } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import mysql, { type RowDataPacket } from 'mysql2/promise';
import { MysqlOrders } from './outbox/mysql-orders.js';

@Module({
  imports: [
    HoldfastModule.forRoot({ store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? '' }) }),
    HoldfastModule.registerQueue({ name: 'receipts' }),
  ],
})
class AppModule {}

const ORDERS = 120;
const { STEP, DATABASE_URL = '' } = process.env;
const pool = mysql.createPool(DATABASE_URL);
const getConnection = pool.getConnection.bind(pool);
if (STEP === 'killed before delete') {
  pool.getConnection = async () => {
    const connection = await getConnection();
    const query = connection.query.bind(connection) as (...values: unknown[]) => unknown;
    return Object.assign(connection, {
      query(...values: unknown[]) {
        if (String(values[0]).startsWith('DELETE ')) process.kill(process.pid, 'SIGKILL');
        return query(...values);
      },
    });
  };
}

const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const orders = new MysqlOrders(pool, app.get<Queue>(getQueueToken('receipts')));

if (STEP === 'place') {
  // Ended between commit and enqueue: what was committed is never carried over.
  await orders.relay.close();
  for (let number = 1; number <= ORDERS; number++) await orders.place(`o-${number}`, 'ada@example.org');
  // The order is there already, so the transaction is rolled back, and its job with it.
  await orders.place('o-1', 'bob@example.org').catch((error: unknown) => console.log(`refused: ${error}`));
}
if (STEP !== 'place') {
  if (STEP === 'carry') await orders.place('o-live', 'ada@example.org');
  while ((await pool.query<RowDataPacket[]>('SELECT 1 FROM outbox LIMIT 1'))[0].length !== 0) {
    await new Promise((go) => setTimeout(go, 20));
  }
  const store = app.get<JobStore>(getStoreToken());
  const { rows } = await store.browse({ queue: 'receipts' }, { limit: 200 });
  const jobs = await Promise.all(rows.map(({ id }) => store.job(id)));
  const ids = jobs.map((job) => JSON.parse(String(job?.payload)).orderId);
  console.log(`carried ${JSON.stringify({ jobs: ids.length, orders: new Set(ids).size })}`);
}
await orders.relay.close();
await pool.end();
await app.close();
console.log('ended');
