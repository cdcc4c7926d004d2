import { join } from 'node:path';
import { openLogStore, Queue, startWorker } from '@holdfast/core';
import { openPostgresStore } from '@holdfast/store-postgres';
import type { Order } from '../../order.js';
import { ATTEMPTS_MAX, type ComparedQueue, JOB_NAME, QUEUE } from '../compared-queue.js';
import type { Entrant } from '../entrant.js';
import { directoryBytes } from './disk-bytes.js';
import { packageVersion } from './package-version.js';
import { PostgresDatabase } from './postgres-database.js';

const CONNECTIONS = 10;

type Store = ConstructorParameters<typeof Queue>[1]['store'] &
  Parameters<typeof startWorker>[0]['store'] & { close(): Promise<void> };

export const holdfastLog: Entrant = {
  name: 'holdfast-log',
  title: 'Holdfast, log store',
  afterPowerCut: 'every job',
  settings: [{ setting: 'defaults', why: 'as an application opens it', source: 'docs/nestjs.md' }],
  drainJobs: 200_000,
  async open({ directory }) {
    const log = join(directory, 'log');
    const store = await openLogStore({ directory: log });
    return {
      ...overStore(store),
      version: packageVersion('@holdfast/core'),
      diskBytes: async () => directoryBytes(log),
      close: () => store.close(),
    };
  },
};

export const holdfastPostgres: Entrant = {
  name: 'holdfast-postgres',
  title: 'Holdfast, PostgreSQL store',
  server: { kind: 'postgres' },
  afterPowerCut: 'every job',
  settings: [
    {
      setting: `connectionsMax ${CONNECTIONS}`,
      why: 'as many as every other queue on PostgreSQL gets',
      source: 'docs/postgres-store.md',
    },
  ],
  drainJobs: 40_000,
  async open({ server }) {
    const url = server!.url!;
    const store = await openPostgresStore({ connectionString: url, connectionsMax: CONNECTIONS });
    const database = await PostgresDatabase.connect(url);
    return {
      ...overStore(store),
      version: `${packageVersion('@holdfast/store-postgres')}, ${await database.serverVersion()}`,
      diskBytes: () => database.diskBytes(),
      async close() {
        await database.close();
        await store.close();
      },
    };
  },
};

/** `Queue` and `Worker`, as an application uses them. */
function overStore(store: Store): Omit<ComparedQueue, 'version' | 'diskBytes' | 'close'> {
  const defaults = { maxAttempts: ATTEMPTS_MAX, backoff: { kind: 'fixed', baseMs: 0, jitter: 'none' } } as const;
  const queue = new Queue<Record<string, Order>>(QUEUE, { store, defaults });
  return {
    async enqueue(order) {
      await queue.enqueue(JOB_NAME, order);
    },
    async enqueueMany(orders) {
      await queue.enqueueMany(orders.map((payload) => ({ name: JOB_NAME, payload })));
    },
    work: (concurrency, handler) =>
      startWorker<Record<string, Order>>({
        store,
        queue: QUEUE,
        concurrency,
        handler: ({ payload }) => handler(payload as Order),
      }),
    async counts() {
      const { ready, scheduled, leased, dead } = await queue.counts();
      return { unfinished: ready + scheduled + leased, failed: dead };
    },
  };
}
