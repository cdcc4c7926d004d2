import { setTimeout as pause } from 'node:timers/promises';
import PgBoss10 from 'pg-boss';
import type { Order } from '../../order.js';
import { ATTEMPTS_MAX, type ComparedQueue, QUEUE } from '../compared-queue.js';
import type { Entrant } from '../entrant.js';
import { isNodeAtLeast } from './node-version.js';
import { packageVersion } from './package-version.js';
import { PostgresDatabase } from './postgres-database.js';

const CONNECTIONS = 10;
const COUNTS = `
  select count(*) filter (where state in ('created', 'retry', 'active')) as unfinished,
         count(*) filter (where state = 'failed') as failed
  from pgboss.job
`;
const ACTIVE = `select count(*) as unfinished, 0 as failed from pgboss.job where state = 'active'`;
const ACTIVE_LOOK_MS = 20;
/** A retry sends no notification: with the default of 30 s it would wait for so long. This is what a worker without them does. */
const RETRY_LOOK_SECONDS = 2;
const RETRIES = { retryLimit: ATTEMPTS_MAX - 1, retryDelay: 0 };

export const pgBoss: Entrant = {
  name: 'pg-boss',
  title: 'pg-boss',
  server: { kind: 'postgres' },
  afterPowerCut: 'every job',
  settings: [
    {
      setting: 'batchSize: the concurrency that is asked for; the handlers of a batch run together',
      why: 'a worker takes one job every two seconds unless it is told otherwise',
      source: 'https://pgboss.io/api/workers',
    },
    {
      setting: 'version 12: useListenNotify and notify, burstWhenBatchFull, perJobResults, localConcurrency 2',
      why: 'a worker is woken by a job, fetches on while batches come full and settles each job; two of them, so that one fetches meanwhile',
      source: 'https://pgboss.io/api/workers',
    },
    {
      setting:
        'version 10 (Node 20): pollingIntervalSeconds 0.5, notifyWorker after a full batch, fail for single jobs',
      why: 'the shortest interval there is, skipped while there is more to fetch',
      source: 'https://github.com/timgit/pg-boss/blob/10.4.2/docs/readme.md',
    },
    {
      setting: 'version 12: notifyPollingIntervalSeconds 2',
      why: 'a job that is tried again wakes nobody, and would wait for up to 30 s; 2 s is its interval without notifications',
      source: 'https://pgboss.io/api/workers',
    },
    { setting: 'insert for many jobs', why: 'one statement for all of them', source: 'https://pgboss.io/api/jobs' },
  ],
  drainJobs: 15_000,
  open: ({ server }) => (isNodeAtLeast(22, 12) ? openVersion12(server!.url!) : openVersion10(server!.url!)),
};

async function openVersion12(url: string): Promise<ComparedQueue> {
  const { PgBoss } = await import('pg-boss-12');
  const boss = new PgBoss({ connectionString: url, max: CONNECTIONS, useListenNotify: true });
  boss.on('error', report);
  await boss.start();
  await boss.createQueue(QUEUE, { ...RETRIES, notify: true });
  const shared = await overDatabase(url, 'pg-boss-12', () => boss.stop({ graceful: false }));
  return {
    ...shared,
    async enqueue(order) {
      await boss.send(QUEUE, order);
    },
    async enqueueMany(orders) {
      await boss.insert(
        QUEUE,
        orders.map((data) => ({ data })),
      );
    },
    work(concurrency, handler) {
      const options = {
        batchSize: concurrency,
        burstWhenBatchFull: true,
        perJobResults: true,
        localConcurrency: 2,
        notifyPollingIntervalSeconds: RETRY_LOOK_SECONDS,
      } as const;
      const started = boss.work<Order, unknown, typeof options>(QUEUE, options, (jobs) =>
        Promise.all(
          jobs.map(async ({ id, data }) => {
            const failure = await failureOf(handler, data);
            return failure === undefined ? { id, status: 'completed' } : { id, status: 'failed', output: failure };
          }),
        ),
      );
      return {
        async close() {
          await started;
          await boss.offWork(QUEUE, { wait: true });
        },
      };
    },
  };
}

async function openVersion10(url: string): Promise<ComparedQueue> {
  const boss = new PgBoss10({ connectionString: url, max: CONNECTIONS });
  boss.on('error', report);
  await boss.start();
  await boss.createQueue(QUEUE, { name: QUEUE, ...RETRIES });
  const shared = await overDatabase(url, 'pg-boss', () => boss.stop({ graceful: false, wait: true }));
  return {
    ...shared,
    async enqueue(order) {
      await boss.send(QUEUE, order, RETRIES);
    },
    async enqueueMany(orders) {
      await boss.insert(orders.map((data) => ({ name: QUEUE, data, ...RETRIES })));
    },
    work(concurrency, handler) {
      const options = { batchSize: concurrency, pollingIntervalSeconds: 0.5 };
      const started: Promise<string> = boss.work<Order>(QUEUE, options, async (jobs) => {
        await Promise.all(
          jobs.map(async ({ id, data }) => {
            const failure = await failureOf(handler, data);
            if (failure !== undefined) await boss.fail(QUEUE, id, failure);
          }),
        );
        if (jobs.length === concurrency) boss.notifyWorker(await started);
      });
      return {
        async close() {
          await started;
          await boss.offWork(QUEUE);
          // That does not wait for the batch that is at work.
          while ((await shared.database.counts(ACTIVE)).unfinished > 0) await pause(ACTIVE_LOOK_MS);
        },
      };
    },
  };
}

async function overDatabase(
  url: string,
  packageName: string,
  stop: () => Promise<void>,
): Promise<
  Pick<ComparedQueue, 'version' | 'counts' | 'diskBytes' | 'close'> & { readonly database: PostgresDatabase }
> {
  const database = await PostgresDatabase.connect(url);
  return {
    database,
    version: `${packageVersion(packageName)}, ${await database.serverVersion()}`,
    counts: () => database.counts(COUNTS),
    diskBytes: () => database.diskBytes(),
    async close() {
      await stop();
      await database.close();
    },
  };
}

async function failureOf(handler: (order: Order) => Promise<void>, order: Order): Promise<object | undefined> {
  try {
    await handler(order);
    return undefined;
  } catch (error) {
    return { message: String(error) };
  }
}

function report(error: unknown): void {
  process.stderr.write(`pg-boss: ${String(error)}\n`);
}
