// A PostgreSQL server for one test run, in a process of its own that ends the server with the run, however the run ends: it waits for the end
// of its standard input, which the system closes also behind a process that was killed.
//   node guard.mjs <folder of the programs>
// Answers one line of JSON: where the server is, or why there is none.
import { execFile } from 'node:child_process';
import { chmod, cp, lchown, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/**
 * @typedef {{ readonly uid?: number, readonly gid?: number }} Identity Who runs the server.
 *
 * @typedef {object} Place
 * @property {string} directory Holds all of the server, and is removed at its end.
 * @property {string} programs
 * @property {string} data
 * @property {Identity} identity
 */

const PROGRAM_TIMEOUT_MS = 60_000;
const USERS = ['postgres', 'nobody'];

/** @type {Promise<void>} */
const runIsOver = new Promise((resolve) => {
  process.stdin.resume().once('close', resolve);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
});
// Nobody may be left to hear the answer.
process.stdout.on('error', () => {});

await serve(process.argv[2] ?? '');
process.exit();

/** @param {string} installed */
async function serve(installed) {
  const directory = await mkdtemp(join(tmpdir(), 'holdfast-postgres-'));
  const failed = await serveIn(directory, installed).then(
    () => undefined,
    (error) => reasonOf(error, join(directory, 'data', 'server.log')),
  );
  await rm(directory, { recursive: true, force: true });
  if (failed !== undefined) answer({ failed });
}

/**
 * @param {string} directory
 * @param {string} installed
 */
async function serveIn(directory, installed) {
  const place = await prepare(directory, installed);
  try {
    answer(await start(place));
    await runIsOver;
  } finally {
    // What it holds is thrown away: it needs not write any of it.
    await run(place, 'pg_ctl', '-w', '-m', 'immediate', 'stop').catch(() => {});
  }
}

/** @param {object} line */
function answer(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/**
 * A copy of the programs, because whoever runs the server may not be allowed to read where they are installed, and because a package cannot
 * hold the links by which libraries find each other: it lists them.
 *
 * @param {string} directory
 * @param {string} installed
 * @returns {Promise<Place>}
 */
async function prepare(directory, installed) {
  process.umask(0o022);
  const identity = await serverIdentity();
  await chmod(directory, 0o755);
  const programs = join(directory, 'programs');
  await cp(installed, programs, { recursive: true, dereference: true });
  const list = await readFile(join(programs, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of /** @type {{ source: string, target: string }[]} */ (JSON.parse(list))) {
    await symlink(basename(source), join(programs, '..', target.replace(/^native\//, 'programs/')));
  }
  await giveTo(identity, directory);
  return { directory, programs, data: join(directory, 'data'), identity };
}

/**
 * @param {Identity} identity
 * @param {string} directory
 */
async function giveTo({ uid, gid }, directory) {
  if (uid === undefined || gid === undefined) return;
  const names = await readdir(directory, { recursive: true });
  for (const name of ['.', ...names]) await lchown(join(directory, name), uid, gid);
}

/** @param {Place} place */
async function start(place) {
  await run(place, 'initdb', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C');
  const port = await freePort();
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', 'unix_socket_directories='];
  const options = settings.map((setting) => `-c ${setting}`).join(' ');
  await run(place, 'pg_ctl', '-w', '-l', join(place.data, 'server.log'), '-o', options, 'start');
  const server = `postgres://postgres@127.0.0.1:${port}`;
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  await client.query('create database test');
  const { rows } = await client.query('show server_version');
  await client.end();
  return { url: `${server}/test`, version: rows[0].server_version, programs: join(place.programs, 'bin') };
}

/**
 * The server refuses to run as root: then it runs as somebody who may do nothing else.
 *
 * @returns {Promise<Identity>}
 */
async function serverIdentity() {
  if (process.getuid?.() !== 0) return {};
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of USERS) {
    const [, , uid, gid] = users.find(([user]) => user === name) ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`PostgreSQL refuses to run as root, and this machine has no user ${USERS.join(' or ')}`);
}

/**
 * @param {Place} place
 * @param {string} program
 * @param {readonly string[]} programArguments
 */
async function run({ programs, data, directory, identity }, program, ...programArguments) {
  await promisify(execFile)(join(programs, 'bin', program), ['-D', data, ...programArguments], {
    ...identity,
    cwd: directory,
    timeout: PROGRAM_TIMEOUT_MS,
  });
}

/**
 * @param {unknown} error
 * @param {string} log
 */
async function reasonOf(error, log) {
  const { message, stderr = '' } = /** @type {Error & { stderr?: string }} */ (error);
  const said = await readFile(log, 'utf8').catch(() => '');
  return [message, stderr, said]
    .map((text) => text.trim())
    .join('\n')
    .trim();
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = net.createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {net.AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return address.port;
}
