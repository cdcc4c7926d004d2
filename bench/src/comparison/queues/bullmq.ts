import { createPostgresBackend, Queue, runMigrations, Worker, withBackend } from 'bullmq';
import type { Order } from '../../order.js';
import type { PeerWorker } from '../../peer.js';
import { ATTEMPTS_MAX, type ComparedQueue, JOB_NAME, QUEUE } from '../compared-queue.js';
import type { Entrant, RedisDurability, Setting } from '../entrant.js';
import { directoryBytes } from './disk-bytes.js';
import { packageVersion } from './package-version.js';
import { PostgresDatabase } from './postgres-database.js';

const CONNECTIONS = 10;

/** Redis keeps failed jobs for ever unless told otherwise: they are counted. Retries without a backoff come at once. */
const JOB_OPTIONS = { attempts: ATTEMPTS_MAX, removeOnComplete: true };

const SETTINGS: readonly Setting[] = [
  {
    setting: 'one Worker with the concurrency that is asked for',
    why: 'handlers that wait for I/O share a process',
    source: 'https://docs.bullmq.io/guide/workers/concurrency',
  },
  {
    setting: 'addBulk for many jobs',
    why: 'one round trip for all of them',
    source: 'https://docs.bullmq.io/guide/queues/adding-bulks',
  },
  {
    setting: 'removeOnComplete',
    why: 'completed jobs are not kept, so that what is stored does not grow',
    source: 'https://docs.bullmq.io/guide/queues/auto-removal-of-jobs',
  },
];

const REDIS_SETTINGS: readonly Setting[] = [
  ...SETTINGS,
  {
    setting: 'maxmemory-policy noeviction',
    why: 'the only policy with which BullMQ is right',
    source: 'https://docs.bullmq.io/guide/going-to-production',
  },
];

const POSTGRES_SETTINGS: readonly Setting[] = [
  ...SETTINGS,
  {
    setting: `pool of ${CONNECTIONS} a Queue and a Worker`,
    why: 'enough connections for what is asked at a time',
    source: 'https://docs.bullmq.io/guide/postgresql',
  },
];

export const bullmqWithoutAof = onRedis('no', {
  name: 'bullmq-no-aof',
  title: 'BullMQ, Redis without AOF',
  afterPowerCut: 'nothing: the jobs are in memory only',
  aof: 'appendonly no: what Redis does unless it is configured',
});
export const bullmqEverySecond = onRedis('everysec', {
  name: 'bullmq-everysec',
  title: 'BullMQ, Redis AOF everysec',
  afterPowerCut: 'all but the last second or so',
  aof: 'appendfsync everysec: what BullMQ recommends',
});
export const bullmqAlways = onRedis('always', {
  name: 'bullmq-always',
  title: 'BullMQ, Redis AOF always',
  afterPowerCut: 'every job',
  aof: 'appendfsync always: the only setting that promises what Holdfast promises',
});

interface Named {
  readonly name: string;
  readonly title: string;
  readonly afterPowerCut: string;
  readonly aof: string;
}

function onRedis(appendFsync: RedisDurability, { aof, ...named }: Named): Entrant {
  const [setting = '', why = ''] = aof.split(': ');
  const source = 'https://redis.io/docs/latest/operate/oss_and_stack/management/persistence/';
  return {
    ...named,
    server: { kind: 'redis', appendFsync },
    settings: [...REDIS_SETTINGS, { setting, why, source }],
    drainJobs: 20_000,
    async open({ server }) {
      const connection = { host: '127.0.0.1', port: server!.port };
      const queue = new Queue<Order>(QUEUE, { connection, defaultJobOptions: JOB_OPTIONS });
      await queue.waitUntilReady();
      const work = (concurrency: number, handler: (order: Order) => Promise<void>) =>
        closing(new Worker<Order>(QUEUE, ({ data }) => handler(data), { connection, concurrency }));
      return {
        ...overQueue(queue, work),
        version: `${packageVersion('bullmq')}, ${packageVersion('ioredis')}`,
        diskBytes: async () => directoryBytes(server!.directory!),
      };
    },
  };
}

export const bullmqPostgres: Entrant = {
  name: 'bullmq-postgres',
  title: 'BullMQ, PostgreSQL',
  server: { kind: 'postgres' },
  afterPowerCut: 'every job',
  settings: POSTGRES_SETTINGS,
  drainJobs: 4000,
  async open({ server }) {
    const connectionString = server!.url!;
    const database = await PostgresDatabase.connect(connectionString);
    await database.with((client) => runMigrations(client));
    const OnPostgres = withBackend(createPostgresBackend);
    const connection = { connectionString, max: CONNECTIONS };
    const queue = new OnPostgres.Queue<Order>(QUEUE, { connection, defaultJobOptions: JOB_OPTIONS });
    await queue.waitUntilReady();
    const work = (concurrency: number, handler: (order: Order) => Promise<void>) =>
      closing(new OnPostgres.Worker<Order>(QUEUE, ({ data }) => handler(data), { connection, concurrency }));
    return {
      ...overQueue(queue, work),
      version: `${packageVersion('bullmq')}, ${await database.serverVersion()}`,
      diskBytes: () => database.diskBytes(),
      async close() {
        await queue.close();
        await database.close();
      },
    };
  },
};

type AnyQueue = Pick<Queue<Order>, 'add' | 'addBulk' | 'getJobCounts' | 'close'>;

function overQueue(queue: AnyQueue, work: ComparedQueue['work']): Omit<ComparedQueue, 'version' | 'diskBytes'> {
  return {
    work,
    async enqueue(order) {
      await queue.add(JOB_NAME, order);
    },
    async enqueueMany(orders) {
      await queue.addBulk(orders.map((data) => ({ name: JOB_NAME, data })));
    },
    async counts() {
      const { failed = 0, ...others } = await queue.getJobCounts(
        'waiting',
        'active',
        'delayed',
        'prioritized',
        'failed',
      );
      return { unfinished: Object.values(others).reduce((sum, count) => sum + count, 0), failed };
    },
    close: () => queue.close(),
  };
}

interface BullmqWorker {
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

function closing(worker: BullmqWorker): PeerWorker {
  worker.on('error', (error) => process.stderr.write(`BullMQ: ${String(error)}\n`));
  return { close: () => worker.close() };
}
