import process from 'node:process';
import { enqueueInBulk } from '../../measure.js';
import type { ServerAddress } from '../compared-queue.js';
import { residentBytes } from '../servers/server-time.js';
import { expectCounts, type Workload } from '../workload.js';

const WARM_UP_JOBS = 2000;
const JOBS = 100_000;

/**
 * What a job takes that waits: in the memory of the application, garbage collected, and of a server that keeps its jobs in memory. What
 * PostgreSQL has in memory is a cache of its own size whatever waits, so there the disk says it.
 */
export const waitingJobs: Workload = {
  name: 'waiting',
  title: 'a waiting job of 126 bytes of JSON',
  compared: ['memoryBytes', 'diskBytes'],
  async run({ queue, entrant, server, scale }) {
    const jobs = Math.max(2000, Math.round(JOBS * scale));
    await enqueueInBulk(queue, WARM_UP_JOBS);
    const before = { memory: memoryBytes(server), disk: await queue.diskBytes() };
    await enqueueInBulk(queue, jobs);
    const after = { memory: memoryBytes(server), disk: await queue.diskBytes() };
    await expectCounts(queue, WARM_UP_JOBS + jobs);
    return {
      ...(entrant.server?.kind === 'postgres' ? {} : { memoryBytes: (after.memory - before.memory) / jobs }),
      diskBytes: (after.disk - before.disk) / jobs,
    };
  },
};

function memoryBytes(server: ServerAddress | undefined): number {
  globalThis.gc?.();
  const ofServer = server?.pid === undefined ? 0 : (residentBytes(server.pid) ?? Number.NaN);
  return process.memoryUsage.rss() + ofServer;
}
