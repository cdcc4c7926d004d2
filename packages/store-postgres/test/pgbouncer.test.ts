import { type ChildProcess, spawn } from 'node:child_process';
import { chown, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { startWorker } from '@holdfast/core';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { pgTransaction } from '../src/index.js';
import { freePort, serverDirectory, serverIdentity } from './own-cluster.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const NO_BOUNCER = 'no pgbouncer in PATH, or no user to run it as';
const WITHIN = { timeout: 15_000, interval: 20 };
const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const JOBS = 300;
/** Fewer than the clients have, so that a connection serves one after the other. */
const SERVER_CONNECTIONS = 2;

const database = await findTestDatabase();

/** PgBouncer before the server. @returns `undefined` where it cannot be started */
async function startBouncer(
  url: URL,
  mode: 'transaction' | 'session' = 'transaction',
): Promise<{ readonly url: string; end(): Promise<void> } | undefined> {
  const identity = serverIdentity();
  if (identity === undefined) return undefined;
  const [directory, port] = [await serverDirectory(identity), await freePort()];
  const file = join(directory, 'pgbouncer.ini');
  const password = url.password === '' ? '' : ` password=${url.password}`;
  await writeFile(
    file,
    `[databases]
* = host=${url.hostname} port=${url.port || 5432} user=${url.username}${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'session' ? 20 : SERVER_CONNECTIONS}
`,
  );
  if (identity.uid !== undefined) await chown(file, identity.uid, identity.gid ?? identity.uid);
  const child = spawn('pgbouncer', ['-q', file], { ...identity, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()).once('error', () => resolve()));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const end = async () => {
    child.kill('SIGKILL');
    await ended;
    process.off('exit', kill);
    await rm(directory, { recursive: true, force: true });
  };
  if (await answers(child, port)) {
    const through = new URL(url);
    through.host = `127.0.0.1:${port}`;
    return { url: through.href, end };
  }
  await end();
  return undefined;
}

/** Whether it listens, or ended before. */
async function answers(child: ChildProcess, port: number): Promise<boolean> {
  let isOver = false;
  child.once('close', () => {
    isOver = true;
  });
  child.once('error', () => {
    isOver = true;
  });
  while (!isOver) {
    const socket = net.connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return true;
  }
  return false;
}

it('works through PgBouncer in transaction mode', { timeout: 60_000 }, async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const bouncer = await startBouncer(new URL(database.url));
  if (bouncer === undefined) return context.skip(NO_BOUNCER);
  const rig = new PostgresRig(database.url, { connectionString: bouncer.url, session: false, pollMs: 50, sweepMs: 50 });
  const client = new pg.Client({ connectionString: bouncer.url });
  try {
    const [producer, consumer] = [await rig.open(), await rig.open()];
    const starts: string[] = [];
    const worker = startWorker<{ send: unknown }>({
      store: consumer,
      queue: JOB.queue,
      concurrency: 20,
      handlers: { send: ({ id }) => void starts.push(id) },
    });
    const ids: string[] = [];
    for (let left = JOBS; left > 0; left -= 100) {
      ids.push(
        ...(
          await producer.enqueue(
            Array.from({ length: 100 }, () => JOB),
            { requestId: `r${left}` },
          )
        ).map(({ id }) => id),
      );
    }
    await client.connect();
    await client.query('begin');
    ids.push(...(await producer.enqueue([JOB], { transaction: pgTransaction(client) })).map(({ id }) => id));
    await client.query('commit');
    ids.push(...(await producer.enqueue([{ ...JOB, delayMs: 100 }])).map(({ id }) => id));
    const completed = async () => (await producer.queues())[0]?.counts.completed;
    await vi.waitFor(async () => expect(await completed()).toBe(ids.length), WITHIN);
    expect(starts.toSorted()).toEqual(ids.toSorted());
    await worker.close();

    // A lease that runs out, with every process sweeping.
    await producer.enqueue([{ ...JOB, queue: 'left', maxAttempts: 1 }]);
    await consumer.claim({ queues: ['left'], limit: 1, leaseMs: 100, worker: 'gone' });
    await vi.waitFor(
      async () => expect((await producer.plan({ all: { state: 'dead' } })).matched.value).toBe(1),
      WITHIN,
    );
    expect(await producer.leaseExpiries()).toHaveLength(1);
  } finally {
    await client.end().catch(() => {});
    await rig.close();
    await bouncer.end();
  }
});

it('refuses a pooler in transaction mode where it is to keep a connection, before anything is changed', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const bouncer = await startBouncer(new URL(database.url));
  if (bouncer === undefined) return context.skip(NO_BOUNCER);
  const rig = new PostgresRig(database.url);
  const pool = new pg.Pool({ connectionString: bouncer.url });
  try {
    // Whatever others do with its connections meanwhile.
    const busy = setInterval(() => void pool.query('select pg_sleep(0.002)').catch(() => {}), 1);
    for (const where of [{ connectionString: bouncer.url }, { connectionString: undefined, pool }]) {
      await expect(rig.open(where)).rejects.toThrow(/shared .* transaction.*session: false/);
    }
    clearInterval(busy);
    await expect(rig.open({ connectionString: bouncer.url })).rejects.toThrow(/session: false/);
    expect(await rig.query('select 1 from pg_namespace where nspname = $1', [rig.schema])).toEqual([]);
    const { rows } = await pool.query("select current_setting('enable_seqscan') as seqscan");
    expect(rows).toEqual([{ seqscan: 'on' }]);
  } finally {
    await pool.end();
    await rig.close();
    await bouncer.end();
  }
});

it('keeps a connection through a pooler in session mode', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const bouncer = await startBouncer(new URL(database.url), 'session');
  if (bouncer === undefined) return context.skip(NO_BOUNCER);
  const rig = new PostgresRig(database.url, { connectionString: bouncer.url, pollMs: 60_000 });
  try {
    const [one, other] = [await rig.open(), await rig.open()];
    await one.enqueue([{ ...JOB, queue: 'known' }]);
    const waiting = one.claim({ queues: [JOB.queue], limit: 1, leaseMs: 60_000, worker: 'one', waitMs: 30_000 });
    await other.enqueue([JOB]);
    expect(await waiting).toHaveLength(1);
  } finally {
    await rig.close();
    await bouncer.end();
  }
});

it('refuses a pool of the caller whose only connection it would keep', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url, { connectionString: undefined });
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  try {
    await expect(rig.open({ pool })).rejects.toThrow(/max of the given pool is 1, .*session: false/);
    const store = await rig.open({ pool, session: false });
    expect(await store.enqueue([JOB])).toHaveLength(1);
  } finally {
    await rig.close();
    await pool.end();
  }
});
