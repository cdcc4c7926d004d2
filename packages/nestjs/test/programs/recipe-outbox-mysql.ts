// The outbox of docs/recipes/outbox.md on MySQL and MariaDB, and its process ended between enqueue and delete.
import 'reflect-metadata';
import { getQueueToken, getStoreToken, HoldfastModule, type JobStore, logStore, type Queue } from '@holdfast/nestjs';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import mysql from 'mysql2/promise';
import { addToOutbox, carry } from './outbox/mysql-outbox.js';

@Module({
  imports: [
    HoldfastModule.forRoot({ store: logStore({ directory: process.env.QUEUE_DIRECTORY ?? '' }) }),
    HoldfastModule.registerQueue({ name: 'receipts' }),
  ],
})
class AppModule {}

const ORDERS = 120;
const { STEP, DATABASE_URL = '' } = process.env;
const connection = await mysql.createConnection(DATABASE_URL);
const app = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
const receipts = app.get<Queue>(getQueueToken('receipts'));

async function place(orderId: string): Promise<void> {
  await connection.beginTransaction();
  try {
    await addToOutbox(connection, 'send', { orderId, to: 'ada@example.org' });
    await connection.query('INSERT INTO orders (id) VALUES (?)', [orderId]);
    await connection.commit();
  } catch (error) {
    await connection.rollback();
    throw error;
  }
}

if (STEP === 'place') {
  for (let number = 1; number <= ORDERS; number++) await place(`o-${number}`);
  // The order is there already, so the transaction is rolled back, and its job with it.
  await place('o-1').catch((error: unknown) => console.log(`refused: ${error}`));
}
if (STEP === 'killed before delete') {
  const query = connection.query.bind(connection) as (...values: unknown[]) => unknown;
  Object.assign(connection, {
    query(...values: unknown[]) {
      if (String(values[0]).startsWith('DELETE FROM outbox')) process.kill(process.pid, 'SIGKILL');
      return query(...values);
    },
  });
  await carry(connection, receipts);
}
if (STEP === 'carry') {
  const carried: number[] = [];
  do carried.push(await carry(connection, receipts));
  while (carried.at(-1) === 100);
  const store = app.get<JobStore>(getStoreToken());
  const { rows } = await store.browse({ queue: 'receipts' }, { limit: 200 });
  const jobs = await Promise.all(rows.map(({ id }) => store.job(id)));
  const orders = new Set(jobs.map((job) => JSON.parse(String(job?.payload)).orderId));
  console.log(`carried ${JSON.stringify({ rows: carried, jobs: jobs.length, orders: orders.size })}`);
}
await connection.end();
await app.close();
console.log('ended');
