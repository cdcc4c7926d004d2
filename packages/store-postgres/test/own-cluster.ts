import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const SERVER_USERS = ['postgres', 'nobody'];
const DEBIAN = '/usr/lib/postgresql';

/** What is missing where there is no cluster of one's own: the reason of a skip. */
export const NO_CLUSTER = `no initdb in PATH or ${DEBIAN}, or, for root, no user ${SERVER_USERS.join(' or ')} to run it as`;

/** Who runs a server. */
export interface Identity {
  readonly uid?: number;
  readonly gid?: number;
}

/** A PostgreSQL server that belongs to one test: it may be stopped and started, and be given settings. */
export class OwnCluster {
  readonly directory: string;
  readonly port: number;
  readonly #bin: string;
  readonly #identity: Identity;
  #settings: readonly string[] = [];

  /**
   * @param prepare puts files into the directory of the server
   * @returns `undefined` where no server can be started on this machine
   */
  static async start(
    settings: readonly string[] = [],
    prepare: (directory: string, identity: Identity) => Promise<void> = async () => {},
  ): Promise<OwnCluster | undefined> {
    const [bin, identity] = [await binaries(), serverIdentity()];
    if (bin === undefined || identity === undefined) return undefined;
    const directory = await serverDirectory(identity);
    const cluster = new OwnCluster(directory, await freePort(), bin, identity);
    await cluster.#run('initdb', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C', '--no-sync');
    process.once('exit', cluster.#atExit);
    await prepare(directory, identity);
    await cluster.up(settings);
    return cluster;
  }

  private constructor(directory: string, port: number, bin: string, identity: Identity) {
    this.directory = directory;
    this.port = port;
    this.#bin = bin;
    this.#identity = identity;
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Also another time, after `down`. */
  async up(settings = this.#settings): Promise<void> {
    this.#settings = settings;
    const all = [`port=${this.port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
    const options = all.map((setting) => `-c '${setting}'`).join(' ');
    await this.#run('pg_ctl', '-w', '-l', join(this.directory, 'server.log'), '-o', options, 'start');
  }

  /** As if its machine had lost power, but for what the operating system still writes. */
  async down(): Promise<void> {
    await this.#run('pg_ctl', '-w', '-m', 'immediate', 'stop');
  }

  async close(): Promise<void> {
    process.off('exit', this.#atExit);
    await this.down().catch(() => {});
    await rm(this.directory, { recursive: true, force: true });
  }

  async #run(program: string, ...programArguments: string[]): Promise<void> {
    await run(join(this.#bin, program), ['-D', this.directory, ...programArguments], this.#identity);
  }

  readonly #atExit = (): void => {
    const stop = ['-D', this.directory, '-m', 'immediate', 'stop'];
    spawnSync(join(this.#bin, 'pg_ctl'), stop, { ...this.#identity, stdio: 'ignore' });
  };
}

/** Those of the server that the run has started, if it has. Debian keeps the programs of the server outside of the PATH. */
async function binaries(): Promise<string | undefined> {
  const versions = await readdir(DEBIAN).catch(() => []);
  const places = [
    ...(process.env.HOLDFAST_TEST_POSTGRES_PROGRAMS ?? '').split(delimiter),
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.sort().map((version) => join(DEBIAN, version, 'bin')),
  ];
  for (const place of places.filter((name) => name !== '')) {
    const isThere = await access(join(place, 'initdb')).then(
      () => true,
      () => false,
    );
    if (isThere) return place;
  }
  return undefined;
}

/** The server refuses to run as root: then it runs as the user that its package made, or as nobody. */
export function serverIdentity(): Identity | undefined {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  const lines = SERVER_USERS.flatMap((name) => users.find((user) => user.startsWith(`${name}:`)) ?? []);
  const [, , uid, gid] = lines[0]?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** A directory that belongs to whoever runs the server. */
export async function serverDirectory({ uid, gid }: Identity): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-server-'));
  if (uid !== undefined) await chown(directory, uid, gid ?? uid);
  return directory;
}

export async function freePort(): Promise<number> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}
