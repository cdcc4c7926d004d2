import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { ServerAddress } from '../compared-queue.js';
import { findCommand } from './find-command.js';
import { freePort, startServer } from './server-process.js';

const DEBIAN_FOLDER = '/usr/lib/postgresql';

/** A server with its settings at their defaults, or one that was there. */
export interface PostgresServer {
  /** An empty database for one run. */
  createDatabase(): Promise<ServerAddress & { drop(): Promise<void> }>;
  end(): Promise<void>;
}

/** Debian keeps the servers' programs out of PATH. */
export function postgresCommand(): string | undefined {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
  return findCommand(
    'initdb',
    'POSTGRES_INITDB',
    newestFirst.map((version) => join(DEBIAN_FOLDER, version, 'bin')),
  );
}

/** In an empty directory. PostgreSQL refuses to be run by root: then its own user runs it. */
export async function startPostgres(directory: string): Promise<PostgresServer> {
  const initdb = postgresCommand()!;
  const user = process.getuid?.() === 0 ? idsOf('postgres') : undefined;
  if (user !== undefined) chownSync(directory, user.uid, user.gid);
  const data = join(directory, 'data');
  execFileSync(initdb, ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8'], {
    ...user,
    cwd: directory,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const port = await freePort();
  const server = await startServer({
    command: initdb.replace(/initdb$/, 'postgres'),
    args: [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      `unix_socket_directories=${directory}`,
    ],
    port,
    directory,
    endSignal: 'SIGINT',
    ...(user === undefined ? {} : { user }),
  });
  const url = new URL(`postgres://postgres@127.0.0.1:${port}/postgres`);
  await untilReady(url.href);
  return serverAt(url, server.pid, server.end);
}

/** One that somebody else runs: what it does for others is not told from what it does for us, so its CPU is not counted. */
export function foreignPostgres(url: string): PostgresServer {
  return serverAt(new URL(url), undefined, async () => {});
}

function serverAt(url: URL, pid: number | undefined, end: () => Promise<void>): PostgresServer {
  let databases = 0;
  return {
    end,
    async createDatabase() {
      const name = `holdfast_peers_${process.pid}_${++databases}`;
      await run(url.href, `create database ${name}`);
      const own = new URL(url);
      own.pathname = `/${name}`;
      const place = { port: Number(url.port || 5432), url: own.href, ...(pid === undefined ? {} : { pid }) };
      return { ...place, drop: () => run(url.href, `drop database ${name} with (force)`) };
    },
  };
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** It listens before it lets anybody in. */
async function untilReady(url: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run(url, 'select 1');
    } catch (error) {
      const isStarting = (error as { code?: string }).code === '57P03';
      if (!isStarting || attempt === 1000) throw error;
    }
  }
}

function idsOf(user: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}
