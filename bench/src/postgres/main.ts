import process from 'node:process';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { median } from '../statistics.js';
import { alteredPeer } from './altered-peer.js';
import { graphileWorkerPeer } from './graphile-worker-peer.js';
import { holdfastMysqlPeer, holdfastPeer } from './holdfast-peer.js';
import { CostMeter, type JobCosts } from './job-costs.js';
import type { SqlPeer } from './peer.js';
import { pgBossPeer } from './pg-boss-peer.js';

const HELP = `Measures queues on one PostgreSQL side by side, or the store on MySQL and MariaDB: jobs a second that are enqueued in bulk, and that
are worked off.

  --mysql         the store on MySQL and MariaDB instead
  --url <url>     the database (default: HOLDFAST_TEST_POSTGRES_URL, else postgres://postgres@127.0.0.1:5432/test;
                  with --mysql: HOLDFAST_TEST_MYSQL_URL, else mysql://root@127.0.0.1:3306/)
  --jobs <n>      of each round (default 20000)
  --batch <n>     jobs of one enqueue (default 1000)
  --rounds <n>    the queues take turns; the medians are shown (default 3)
  --costs         also what a job costs: processor time of the application and the server, write-ahead log (PostgreSQL only)
  --alter <sql>   also the PostgreSQL store with its tables changed, in turn with the others: 'alter table ready drop constraint ready_pkey'
  --help          this text
`;

interface Setting {
  readonly url: string;
  readonly peers: readonly SqlPeer[];
  drop(url: string, schema: string): Promise<void>;
}

const POSTGRES: Setting = {
  url: process.env.HOLDFAST_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
  peers: [holdfastPeer, pgBossPeer, graphileWorkerPeer],
  async drop(connectionString, schema) {
    const client = new pg.Client({ connectionString });
    await client.connect();
    await client.query(`drop schema if exists ${schema} cascade`);
    await client.end();
  },
};

const MYSQL: Setting = {
  url: process.env.HOLDFAST_TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1:3306/',
  peers: [holdfastMysqlPeer],
  async drop(uri, schema) {
    const connection = await mysql.createConnection({ uri });
    await connection.query(`drop database if exists ${schema}`);
    await connection.end();
  },
};

interface Rates {
  readonly enqueue: number[];
  readonly work: number[];
  readonly costs: { readonly enqueue: JobCosts[]; readonly work: JobCosts[] };
}

// pnpm hands the `--` of `npm run bench:postgres -- …` on.
const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    mysql: { type: 'boolean', default: false },
    url: { type: 'string' },
    jobs: { type: 'string', default: '20000' },
    batch: { type: 'string', default: '1000' },
    rounds: { type: 'string', default: '3' },
    costs: { type: 'boolean', default: false },
    alter: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else {
  const setting = options.mysql ? MYSQL : { ...POSTGRES, peers: [...POSTGRES.peers, ...altered()] };
  const given = options.url === undefined ? setting : { ...setting, url: options.url };
  await measure(given, Number(options.jobs), Number(options.batch), Number(options.rounds));
}

function altered(): SqlPeer[] {
  return options.alter === undefined ? [] : [alteredPeer(options.alter)];
}

async function measure(setting: Setting, jobs: number, batch: number, rounds: number): Promise<void> {
  const { peers } = setting;
  const rates = new Map<string, Rates>(
    peers.map(({ name }) => [name, { enqueue: [], work: [], costs: { enqueue: [], work: [] } }]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const peer of peers) await measureOne(peer, setting, jobs, batch, rates.get(peer.name)!);
  }
  console.log(`Node ${process.version}, ${jobs} jobs, ${batch} an enqueue, medians of ${rounds} rounds, jobs a second`);
  for (const [name, { enqueue, work, costs }] of rates) {
    console.log(`${name.padEnd(16)} enqueue ${rate(enqueue)}   claim and ack ${rate(work)}`);
    for (const [what, ofRounds] of Object.entries(costs)) if (ofRounds.length > 0) printCosts(what, ofRounds);
  }
}

/** In a schema of its own, which is dropped afterwards. */
async function measureOne(
  peer: SqlPeer,
  { url, drop }: Setting,
  jobs: number,
  batch: number,
  rates: Rates,
): Promise<void> {
  const schema = `hf_bench_${process.pid}_${peer.name.toLowerCase().replace(/\W/g, '_')}`;
  const opened = await peer.open(url, schema);
  const meter = options.costs && !options.mysql ? await CostMeter.connect(url) : undefined;
  const measured = async (what: 'enqueue' | 'work', act: () => Promise<void>) => {
    const timed = async () => void rates[what].push(await perSecond(jobs, act));
    if (meter === undefined) await timed();
    else rates.costs[what].push(await meter.measure(jobs, timed));
  };
  try {
    await measured('enqueue', () => opened.enqueue(jobs, batch));
    await measured('work', () => opened.work(jobs));
  } finally {
    await meter?.close();
    await opened.close();
    await drop(url, schema);
  }
}

async function perSecond(jobs: number, act: () => Promise<void>): Promise<number> {
  const startedAtMs = performance.now();
  await act();
  return (jobs * 1000) / (performance.now() - startedAtMs);
}

function rate(values: readonly number[]): string {
  return Math.round(median(values)).toLocaleString('en-US').padStart(8);
}

function printCosts(what: string, costs: readonly JobCosts[]): void {
  const middle = (read: (costs: JobCosts) => number | undefined, digits: number) => {
    const known = costs.map(read).filter((value) => value !== undefined);
    return known.length === 0 ? '?' : median(known).toFixed(digits);
  };
  const processor = `${middle(({ application }) => application, 1)} + ${middle(({ server }) => server, 1)} µs of application + server`;
  console.log(`  a job, ${what}: ${processor}, ${middle(({ walBytes }) => walBytes, 0)} bytes of write-ahead log`);
}
