// The handlers of docs/recipes/idempotent-handlers.md, each run twice.
import 'reflect-metadata';
import { getQueueToken, HoldfastModule, logStore } from '@holdfast/nestjs';
import { HoldfastTesting, HoldfastTestingModule } from '@holdfast/nestjs/testing';
import { Test } from '@nestjs/testing';
import { Pool } from 'pg';
import { AccountsModule } from './accounts/accounts.module.js';
import { Warehouse } from './accounts/stock.processor.js';

let answerLate = (_pieces: number) => {};
const late = new Promise<number>((resolve) => {
  answerLate = resolve;
});
const answers = [late, Promise.resolve(7)];

const root = HoldfastModule.forRoot({
  store: logStore({ directory: 'unused' }),
  around: async (job, context, work) => {
    const result = await work();
    // As when the process is killed between the work and the ack.
    if (job.queue === 'payments' && context.attempt === 1) throw new Error('killed before the ack');
    return result;
  },
});
const app = await Test.createTestingModule({ imports: [root, AccountsModule, HoldfastTestingModule] })
  .overrideProvider(Warehouse)
  .useValue({ count: () => answers.shift() })
  .compile();
await app.init();
const jobs = app.get(HoldfastTesting);
const pool = app.get(Pool);
await pool.query("INSERT INTO accounts (name, cents) VALUES ('ada', 0)");
await pool.query("INSERT INTO stock (article, pieces) VALUES ('chair', 1)");

await app.get(getQueueToken('payments')).enqueue('pay-in', { account: 'ada', cents: 500 });
const { failed, completed } = await jobs.advance(60_000);
const account = await pool.query('SELECT cents FROM accounts');

await app.get(getQueueToken('stock')).enqueue('refresh', { article: 'chair' });
await jobs.advance(60_000, { patienceMs: 200 });
answerLate(5);
// The first attempt writes now, if it can.
while (jobs.runs.filter(({ queue }) => queue === 'stock').length < 2) await jobs.advance(1000, { patienceMs: 200 });
await new Promise((resolve) => setTimeout(resolve, 200));
const stock = await pool.query('SELECT pieces FROM stock');
console.log(
  `accounts ${JSON.stringify({ failed, completed, ...account.rows[0], ...stock.rows[0], left: answers.length })}`,
);
await app.close();
