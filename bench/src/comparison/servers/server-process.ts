import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MS = 20;
const START_MS_MAX = 30_000;
const END_MS_MAX = 10_000;

export interface RunningServer {
  readonly pid: number;
  readonly port: number;
  readonly directory: string;
  end(): Promise<void>;
}

export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
  readonly directory: string;
  /** Who runs it, where it refuses to be run by root. */
  readonly user?: { readonly uid: number; readonly gid: number };
  readonly endSignal?: NodeJS.Signals;
}

const running = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** However this process ends, unless it is killed itself. */
export function endsWithThisProcess(child: ChildProcess): void {
  running.add(child);
  child.once('exit', () => running.delete(child));
}

/** A server of our own, ready when this resolves. @throws Error with what it wrote when it does not come up */
export async function startServer({
  command,
  args,
  port,
  directory,
  user,
  endSignal,
}: ServerStart): Promise<RunningServer> {
  const server = spawn(command, args, { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'], ...user });
  endsWithThisProcess(server);
  const exited = once(server, 'exit');
  let written = '';
  const note = (bytes: Buffer) => {
    written = (written + bytes.toString()).slice(-2000);
  };
  server.stdout.on('data', note);
  server.stderr.on('data', note);
  const deadline = performance.now() + START_MS_MAX;
  while (!(await isListening(port))) {
    if (server.exitCode !== null || server.pid === undefined || performance.now() > deadline) {
      server.kill('SIGKILL');
      throw new Error(`${command} did not come up. It wrote:\n${written}`);
    }
    await pause(LOOK_MS);
  }
  return { pid: server.pid!, port, directory, end: () => endServer(server, exited, endSignal ?? 'SIGTERM') };
}

async function endServer(server: ChildProcess, exited: Promise<unknown>, signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  const patience = setTimeout(() => server.kill('SIGKILL'), END_MS_MAX);
  await exited;
  clearTimeout(patience);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('connect', () => socket.end(() => resolve(true)));
    socket.once('error', () => resolve(false));
  });
}

/** One that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The system gave no port.');
  return address.port;
}
