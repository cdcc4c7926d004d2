import type { Order } from '../../order.js';
import { ATTEMPTS_MAX, JOB_NAME } from '../compared-queue.js';
import type { Entrant } from '../entrant.js';
import { isNodeAtLeast } from './node-version.js';
import { packageVersion } from './package-version.js';
import { PostgresDatabase } from './postgres-database.js';

/** As its own page on performance sets it up. */
const CONCURRENT_JOBS_MAX = 24;
const BATCHING = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 };
const PERFORMANCE_PAGE = 'https://worker.graphile.org/docs/performance';
const COUNTS = `
  select count(*) filter (where attempts < max_attempts or locked_at is not null) as unfinished,
         count(*) filter (where attempts >= max_attempts and locked_at is null) as failed
  from graphile_worker._private_jobs
`;

export const graphileWorker: Entrant = {
  name: 'graphile-worker',
  title: 'graphile-worker',
  server: { kind: 'postgres' },
  afterPowerCut: 'every job',
  settings: [
    {
      setting: 'localQueue 500, completeJobBatchDelay 0, failJobBatchDelay 0',
      why: 'jobs are fetched, completed and failed in batches',
      source: PERFORMANCE_PAGE,
    },
    {
      setting: `at most ${CONCURRENT_JOBS_MAX} concurrent jobs, one connection more`,
      why: 'with which its own figures were measured',
      source: PERFORMANCE_PAGE,
    },
    {
      setting: 'addJobs for many jobs',
      why: 'one statement for all of them',
      source: 'https://worker.graphile.org/docs/library/add-job',
    },
    {
      setting: 'retries after about 2.7 s and 7.4 s',
      why: 'its backoff cannot be changed',
      source: 'https://worker.graphile.org/docs/exponential-backoff',
    },
  ],
  drainJobs: 40_000,
  async open({ server }) {
    const connectionString = server!.url!;
    const packageName = isNodeAtLeast(22, 18) ? 'graphile-worker-0.18' : 'graphile-worker';
    // By a name that the compiler does not follow: both versions declare the same global types. Their face is the same.
    const { Logger, makeWorkerUtils, run } = (await import(packageName)) as typeof import('graphile-worker');
    const logger = new Logger(() => () => {});
    const settings = { connectionString, logger, maxPoolSize: CONCURRENT_JOBS_MAX + 1 };
    const utils = await makeWorkerUtils({ preset: { worker: settings } });
    await utils.migrate();
    const database = await PostgresDatabase.connect(connectionString);
    return {
      version: `${packageVersion(packageName)}, ${await database.serverVersion()}`,
      async enqueue(order) {
        await utils.addJob(JOB_NAME, order, { maxAttempts: ATTEMPTS_MAX });
      },
      async enqueueMany(orders) {
        await utils.addJobs(orders.map((payload) => ({ identifier: JOB_NAME, payload, maxAttempts: ATTEMPTS_MAX })));
      },
      work(concurrency, handler) {
        const concurrentJobs = Math.min(concurrency, CONCURRENT_JOBS_MAX);
        const preset = { worker: { ...settings, ...BATCHING, concurrentJobs } };
        const taskList = { [JOB_NAME]: (payload: unknown) => handler(payload as Order) };
        const started = run({ preset, taskList, noHandleSignals: true });
        return { close: async () => (await started).stop() };
      },
      counts: () => database.counts(COUNTS),
      diskBytes: () => database.diskBytes(),
      async close() {
        await utils.release();
        await database.close();
      },
    };
  },
};
