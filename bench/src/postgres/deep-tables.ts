import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openPostgresStore, type PostgresStore } from '@holdfast/store-postgres';
import pg from 'pg';
import { median, percentile } from '../statistics.js';
import { FILLS } from './deep-fill.js';
import { PAYLOAD, QUEUE } from './peer.js';

const HELP = `Measures claims over very many jobs beside a store that is empty but for what is claimed, claims beside a long transaction,
and what a store asks while nothing happens. In databases of its own, which are dropped afterwards; 9 million jobs take 4 GB.

  --url <url>      the server (default: HOLDFAST_TEST_POSTGRES_URL, else postgres://postgres@127.0.0.1:5432/test)
  --scale <part>   of 5 million completed, 2.9 million ready, 100,000 leased and 1 million scheduled jobs (default 1)
  --claims <n>     claims of ten jobs, in turns at both (default 3000)
  --churn <n>      jobs that come and go beside the long transaction (default 200000)
  --idle <s>       seconds for which the queries of an idle store are counted (default 60)
  --help           this text
`;

const CLAIM_JOBS = 10;
const CHURN_JOBS = 500;
const FILL_STEP = 500_000;

// pnpm hands the `--` of `npm run bench:postgres:deep -- …` on.
const { values: options } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    url: {
      type: 'string',
      default: process.env.HOLDFAST_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/test',
    },
    scale: { type: 'string', default: '1' },
    claims: { type: 'string', default: '3000' },
    churn: { type: 'string', default: '200000' },
    idle: { type: 'string', default: '60' },
    help: { type: 'boolean', default: false },
  },
});

if (options.help) process.stdout.write(HELP);
else await withDatabase('empty', (empty) => withDatabase('deep', (deep) => measure(empty, deep)));

async function measure(emptyUrl: string, deepUrl: string): Promise<void> {
  console.log(`Node ${process.version}, ${options.claims} claims of ${CLAIM_JOBS} jobs each, milliseconds`);
  const [empty, deep] = [await open(emptyUrl), await open(deepUrl)];
  await fill(deepUrl, deep, Number(options.scale));
  const claims = Number(options.claims);
  for (let left = claims * CLAIM_JOBS; left > 0; left -= CHURN_JOBS) await enqueue(empty, Math.min(CHURN_JOBS, left));
  const [emptyMs, deepMs]: [number[], number[]] = [[], []];
  for (let claim = 0; claim < claims; claim++) {
    emptyMs.push(await claimAndAck(empty, CLAIM_JOBS));
    deepMs.push(await claimAndAck(deep, CLAIM_JOBS));
  }
  print('claims, empty store', emptyMs);
  print('claims, deep store', deepMs);
  await besideLongTransaction(emptyUrl, empty);
  await idle(deepUrl, empty, deep);
  await Promise.all([empty.close(), deep.close()]);
}

function open(connectionString: string): Promise<PostgresStore> {
  return openPostgresStore({ connectionString, retention: { completed: { count: 10_000_000 } } });
}

async function fill(url: string, store: PostgresStore, scale: number): Promise<void> {
  await enqueue(store, 1);
  await claimAndAck(store, 1);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const startedAtMs = performance.now();
  let jobs = 0;
  for (const { rows, text } of FILLS) {
    const wanted = Math.round(rows * scale);
    for (let from = 0; from < wanted; from += FILL_STEP) {
      await client.query(text, [Math.min(FILL_STEP, wanted - from)]);
    }
    jobs += wanted;
  }
  await client.query('vacuum (analyze)');
  const { rows } = await client.query<{ size: string }>(
    'select pg_size_pretty(pg_database_size(current_database())) as size',
  );
  await client.end();
  const seconds = Math.round((performance.now() - startedAtMs) / 1000);
  console.log(`${jobs.toLocaleString('en-US')} jobs, ${rows[0]?.size}, filled in ${seconds} s`);
}

/** Nothing that ends while it is open can be cleared away: every claim passes the entries of all jobs that were claimed since. */
async function besideLongTransaction(url: string, store: PostgresStore): Promise<void> {
  const churn = Number(options.churn);
  const open = new pg.Client({ connectionString: url });
  await open.connect();
  await open.query('begin isolation level repeatable read; select 1 from pg_class limit 1');
  const parts = 4;
  for (let part = 0; part <= parts; part++) {
    const ms: number[] = [];
    await enqueue(store, CHURN_JOBS);
    for (let claim = 0; claim < CHURN_JOBS / CLAIM_JOBS; claim++) ms.push(await claimAndAck(store, CLAIM_JOBS));
    print(`after ${((churn * part) / parts).toLocaleString('en-US')} jobs beside a transaction`, ms);
    for (let left = part < parts ? churn / parts : 0; left > 0; left -= CHURN_JOBS) {
      await enqueue(store, CHURN_JOBS);
      await claimAndAck(store, CHURN_JOBS);
    }
  }
  await open.query('commit');
  await open.end();
}

/** Two stores that wait for jobs: the transactions of one database in a while are those of one of them, and of the server's own. */
async function idle(url: string, ...stores: readonly PostgresStore[]): Promise<void> {
  const seconds = Number(options.idle);
  const stop = new AbortController();
  const claim = {
    queues: ['nothing'],
    limit: 1,
    leaseMs: 60_000,
    waitMs: 3_600_000,
    worker: 'idle',
    signal: stop.signal,
  };
  const waits = stores.map((store) => store.claim(claim));
  const before = await transactions(url);
  await pause(seconds * 1000);
  const asked = (await transactions(url)) - before;
  stop.abort();
  await Promise.all(waits);
  console.log(`an idle store that leads and waits: ${Math.round((asked * 60) / seconds)} transactions a minute`);
}

async function transactions(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return Number(rows[0]?.count ?? 0);
}

async function enqueue(store: PostgresStore, jobs: number): Promise<void> {
  const payload = JSON.stringify(PAYLOAD);
  await store.enqueue(Array.from({ length: jobs }, () => ({ queue: QUEUE, name: 'noop', payload })));
}

/** @returns how long the claim took */
async function claimAndAck(store: PostgresStore, limit: number): Promise<number> {
  const startedAtMs = performance.now();
  const jobs = await store.claim({ queues: [QUEUE], limit, leaseMs: 60_000, worker: 'bench' });
  const tookMs = performance.now() - startedAtMs;
  await store.ack(jobs.map(({ id, token }) => ({ id, token })));
  if (jobs.length !== limit) throw new Error(`A claim of ${limit} jobs got ${jobs.length}.`);
  return tookMs;
}

function print(what: string, values: readonly number[]): void {
  const figures = [median(values), percentile(values, 0.99)].map((ms) => ms.toFixed(2).padStart(8));
  console.log(`${what.padEnd(44)} median ${figures[0]}   p99 ${figures[1]}`);
}

/** Makes one beside the given one, and drops it whatever happens. */
async function withDatabase(name: string, use: (url: string) => Promise<void>): Promise<void> {
  const database = `hf_${name}_${process.pid}`;
  const client = new pg.Client({ connectionString: options.url });
  await client.connect();
  await client.query(`create database ${database}`);
  const url = new URL(options.url);
  url.pathname = `/${database}`;
  try {
    await use(url.href);
  } finally {
    await client.query(`drop database ${database} with (force)`);
    await client.end();
  }
}
