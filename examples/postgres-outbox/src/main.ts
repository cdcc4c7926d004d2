import { inOneTransaction } from './in-one-transaction.js';
import { throughAnOutbox } from './through-an-outbox.js';

const connectionString = process.env.DATABASE_URL;
if (connectionString === undefined)
  throw new Error('DATABASE_URL is not set, such as postgres://app@127.0.0.1:5432/app');

console.log('one transaction:', await inOneTransaction(connectionString));
console.log('outbox:', await throughAnOutbox(connectionString, process.env.QUEUE_DIRECTORY ?? 'data/queue'));
