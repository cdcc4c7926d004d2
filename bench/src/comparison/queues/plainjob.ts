import { createRequire } from 'node:module';
import { join } from 'node:path';
import { better, defineQueue, defineWorker, JobStatus } from 'plainjob';
import type { Order } from '../../order.js';
import { SQLITE_VARIABLE } from '../../peers/sqlite-driver.js';
import { type ComparedQueue, JOB_NAME } from '../compared-queue.js';
import type { Entrant } from '../entrant.js';
import { directoryBytes } from './disk-bytes.js';
import { packageVersion } from './package-version.js';

const PAGE = 'https://github.com/justplainstuff/plainjob#readme';
const SHORT_POLL_MS = 10;
const nothing = () => {};
const SILENT = { error: nothing, warn: nothing, info: nothing, debug: nothing };

const ONE_BY_ONE = {
  setting: 'one worker, one job at a time, no retries',
  why: 'a worker has no concurrency, and a job that fails stays failed',
  source: PAGE,
};

export const plainjob: Entrant = {
  name: 'plainjob',
  title: 'plainjob, as shipped',
  sqlite: true,
  afterPowerCut: 'what reached the disk: it sets synchronous = NORMAL, which syncs no single job',
  settings: [ONE_BY_ONE, { setting: 'polls every second', why: 'its default', source: PAGE }],
  drainJobs: 12_000,
  attemptsMax: 1,
  open: ({ directory }) => open(directory, undefined, undefined),
};

export const plainjobDurable: Entrant = {
  name: 'plainjob-full',
  title: 'plainjob, synchronous FULL',
  sqlite: true,
  afterPowerCut: 'every job',
  settings: [
    ONE_BY_ONE,
    {
      setting: 'synchronous = FULL, set after it has set NORMAL',
      why: 'for the same promise as the others',
      source: 'https://sqlite.org/pragma.html#pragma_synchronous',
    },
    { setting: `polls every ${SHORT_POLL_MS} ms`, why: 'what its latency costs when nothing is to do', source: PAGE },
  ],
  drainJobs: 6000,
  attemptsMax: 1,
  open: ({ directory }) => open(directory, 'FULL', SHORT_POLL_MS),
};

async function open(
  directory: string,
  synchronous: 'FULL' | undefined,
  pollIntervall: number | undefined,
): Promise<ComparedQueue> {
  const Database = createRequire(import.meta.url)(process.env[SQLITE_VARIABLE] ?? 'better-sqlite3');
  const connection = better(new Database(join(directory, 'jobs.sqlite')));
  const queue = defineQueue({ connection, logger: SILENT });
  if (synchronous !== undefined) connection.pragma(`synchronous = ${synchronous}`);
  return {
    version: packageVersion('plainjob'),
    async enqueue(order) {
      queue.add(JOB_NAME, order);
    },
    async enqueueMany(orders) {
      queue.addMany(JOB_NAME, [...orders]);
    },
    work(_concurrency, handler) {
      const handle = ({ data }: { data: string }) => handler(JSON.parse(data) as Order);
      const options = { queue, logger: SILENT, ...(pollIntervall === undefined ? {} : { pollIntervall }) };
      const worker = defineWorker(JOB_NAME, handle, options);
      const ended = worker.start();
      return {
        async close() {
          await worker.stop();
          await ended;
        },
      };
    },
    async counts() {
      const [waiting, running, failed] = [JobStatus.Pending, JobStatus.Processing, JobStatus.Failed].map((status) =>
        queue.countJobs({ status }),
      );
      return { unfinished: waiting! + running!, failed: failed! };
    },
    diskBytes: async () => directoryBytes(directory),
    async close() {
      queue.close();
    },
  };
}
