import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { SQLITE_VARIABLE } from '../peers/sqlite-driver.js';
import type { ServerAddress } from './compared-queue.js';
import type { Entrant } from './entrant.js';
import type { RunAnswer, RunOrder } from './run-workload.js';
import { startBeanstalkd } from './servers/beanstalk-server.js';
import type { PostgresServer } from './servers/postgres-server.js';
import { startRedis } from './servers/redis-server.js';
import { endsWithThisProcess } from './servers/server-process.js';

const SECONDS_MAX = 300;
const script = fileURLToPath(new URL('./run-workload.js', import.meta.url));

export interface RunPlan {
  readonly entrant: Entrant;
  readonly workload: string;
  readonly scale: number;
  readonly node: string;
  readonly sqlite?: string;
  /** There where an entrant needs one. */
  readonly postgres?: PostgresServer;
}

/** In a process of its own, with an empty directory and a server or database of its own, all of which are gone afterwards. */
export async function runOnce(plan: RunPlan): Promise<RunAnswer> {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-peers-'));
  try {
    const server = await openServer(plan, directory);
    try {
      return await runProcess(plan, directory, server?.address);
    } finally {
      await server?.end();
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

interface OpenServer {
  readonly address: ServerAddress;
  end(): Promise<void>;
}

async function openServer({ entrant, postgres }: RunPlan, directory: string): Promise<OpenServer | undefined> {
  switch (entrant.server?.kind) {
    case undefined:
      return undefined;
    case 'postgres': {
      const { drop, ...address } = await postgres!.createDatabase();
      return { address, end: drop };
    }
    case 'redis': {
      const { end, ...address } = await startRedis(directory, entrant.server.appendFsync);
      return { address, end };
    }
    case 'beanstalkd': {
      const { end, ...address } = await startBeanstalkd(directory);
      return { address, end };
    }
  }
}

async function runProcess(plan: RunPlan, directory: string, server: ServerAddress | undefined): Promise<RunAnswer> {
  const { entrant, workload, scale, node, sqlite } = plan;
  const order: RunOrder = {
    entrant: entrant.name,
    workload,
    scale,
    directory,
    ...(server === undefined ? {} : { server }),
  };
  const run = spawn(node, ['--expose-gc', '--enable-source-maps', script, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: SECONDS_MAX * 1000,
    killSignal: 'SIGKILL',
    env: { ...process.env, ...(sqlite === undefined ? {} : { [SQLITE_VARIABLE]: sqlite }) },
  });
  endsWithThisProcess(run);
  let printed = '';
  let complaints = '';
  run.stdout.on('data', (bytes: Buffer) => {
    printed += bytes.toString();
  });
  run.stderr.on('data', (bytes: Buffer) => {
    complaints = (complaints + bytes.toString()).slice(-4000);
  });
  const [code, signal] = await once(run, 'close');
  if (code === 0) return JSON.parse(printed.trim().split('\n').at(-1)!) as RunAnswer;
  throw new Error(signal === null ? reasonIn(complaints) : `It was ended after ${SECONDS_MAX} s.`);
}

/** The first line that says what went wrong, of all that a process wrote when it failed. */
function reasonIn(complaints: string): string {
  const lines = complaints.split('\n').map((line) => line.trim());
  return (
    lines.find((line) => /^(Uncaught )?\w*Error\b/.test(line)) ??
    lines.filter((line) => line !== '').at(-1) ??
    'It failed.'
  );
}
