import process from 'node:process';
import type { JobStore } from '@holdfast/contract';
import { Queue, startWorker } from '@holdfast/core';
import { openMysqlStore } from '@holdfast/store-mysql';
import { openPostgresStore } from '@holdfast/store-postgres';
import { StatementCount, type Statements } from './count-statements.js';

/*
 * A process of an application: a store and a worker that has done a job and has nothing to do. It answers each message of its parent with the statements
 * that it has sent since the last one.
 */

export type Order = 'count' | 'close';
export type Answer = Statements;

const OPEN = { PostgreSQL: openPostgresStore, MariaDB: openMysqlStore } as const;

const [, , kind, connectionString, schema] = process.argv;
if (connectionString === undefined || schema === undefined || process.send === undefined)
  throw new Error('Usage: a child of main, with a kind of database, its URL and a schema');
const statements = new StatementCount();
statements.begin();
const store: JobStore = await OPEN[kind as keyof typeof OPEN]({ connectionString, schema });
const queue = new Queue<Record<'noop', null>>('idle', { store });
let done = () => {};
const isDone = new Promise<void>((resolve) => {
  done = resolve;
});
const worker = startWorker({ store, queue: 'idle', concurrency: 1, handler: async () => done() });
await queue.enqueue('noop', null);
await Promise.race([isDone, new Promise((resolve) => setTimeout(resolve, 1000))]); // another process may have got it
process.on('message', (order: Order) => {
  if (order === 'count') process.send?.(statements.take());
  else void close();
});
process.send({});

async function close(): Promise<void> {
  await worker.close();
  await store.close();
  process.send?.({});
  process.disconnect();
}
