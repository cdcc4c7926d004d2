import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { onTestFinished } from 'vitest';

const run = promisify(execFile);
const BESIDE_THE_PATH = ['/usr/sbin', '/usr/local/sbin'];

/** What is missing where there is no server of one's own: the reason of a skip. */
export const NO_SERVER = 'no mariadb-install-db and mariadbd in PATH, /usr/sbin or /usr/local/sbin';

/** A MariaDB server that belongs to the test that runs now. @returns its URL; `undefined` where none can be started on this machine */
export async function ownMariadb(): Promise<string | undefined> {
  const [install, server] = [find('mariadb-install-db'), find('mariadbd')];
  if (install === undefined || server === undefined) return undefined;
  const directory = await mkdtemp('/tmp/hf-maria-');
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { username } = userInfo();
  // A server that starts removes the temporary tables that it finds: those of another one that is at work, were the directory shared.
  const where = [`--datadir=${join(directory, 'data')}`, `--tmpdir=${directory}`, `--user=${username}`];
  await chown(directory, process.getuid?.() ?? -1, process.getgid?.() ?? -1);
  await run(install, ['--no-defaults', ...where, '--auth-root-authentication-method=normal', '--skip-test-db']);
  const port = await freePort();
  const network = [`--port=${port}`, '--bind-address=127.0.0.1', `--socket=${join(directory, 'socket')}`];
  const child = spawn(server, ['--no-defaults', ...where, ...network, '--innodb-flush-log-at-trx-commit=1'], {
    stdio: 'ignore',
  });
  onTestFinished(() => ended(child));
  const url = `mysql://root@127.0.0.1:${port}/`;
  await isUp(url, child);
  return url;
}

function find(name: string): string | undefined {
  const places = [...(process.env.PATH ?? '').split(delimiter), ...BESIDE_THE_PATH];
  return places.map((place) => join(place, name)).find((path) => existsSync(path));
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function isUp(uri: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const connection = await mysql.createConnection({ uri }).catch(() => undefined);
    if (connection === undefined) continue;
    await connection.end();
    return;
  }
  throw new Error(`The server ended with code ${child.exitCode}.`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const isOver = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await isOver;
}
