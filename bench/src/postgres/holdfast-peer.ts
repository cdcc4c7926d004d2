import type { JobStore } from '@holdfast/contract';
import { openMysqlStore } from '@holdfast/store-mysql';
import { openPostgresStore } from '@holdfast/store-postgres';
import { batchesOf, CONNECTIONS, FETCH_JOBS, inLoops, PAYLOAD, QUEUE, type SqlPeer } from './peer.js';

export const holdfastPeer = holdfastOn(openPostgresStore);
export const holdfastMysqlPeer = holdfastOn(openMysqlStore);

interface Opening {
  readonly connectionString: string;
  readonly schema: string;
  readonly connectionsMax: number;
}

function holdfastOn(
  openStore: (options: Opening) => Promise<Pick<JobStore, 'enqueue' | 'claim' | 'ack' | 'close'>>,
): SqlPeer {
  return {
    name: 'Holdfast',
    async open(connectionString, schema) {
      const store = await openStore({ connectionString, schema, connectionsMax: CONNECTIONS });
      const payload = JSON.stringify(PAYLOAD);
      return {
        async enqueue(jobs, batch) {
          for (const count of batchesOf(jobs, batch)) {
            await store.enqueue(Array.from({ length: count }, () => ({ queue: QUEUE, name: 'noop', payload })));
          }
        },
        work: () =>
          inLoops(async () => {
            const jobs = await store.claim({ queues: [QUEUE], limit: FETCH_JOBS, leaseMs: 60_000, worker: 'bench' });
            await store.ack(jobs.map(({ id, token }) => ({ id, token })));
            return jobs.length;
          }),
        close: () => store.close(),
      };
    },
  };
}
