// How the scripts start other programs: always in the repository's root, with the installed tools on PATH.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..');

const windows = process.platform === 'win32';
const binaries = join(root, 'node_modules', '.bin');

/**
 * @typedef {object} Command
 * @property {string} file
 * @property {readonly string[]} args
 * @property {Readonly<Record<string, string>>} [env] Variables on top of this process's own.
 * @property {number} [niceness] How far it stands back when there is more to do than processors.
 */

/**
 * A program that `install` put into node_modules, of the root or of the package that declares it.
 *
 * @param {string} name
 * @param {readonly string[]} args
 * @param {string} [packageFolder]
 * @returns {Command}
 */
export function localCommand(name, args, packageFolder = '.') {
  return { file: join(root, packageFolder, 'node_modules', '.bin', windows ? `${name}.cmd` : name), args };
}

/**
 * The pinned pnpm: the installed copy, or before the first install the one that npx fetches and keeps in npm's cache.
 *
 * @param {readonly string[]} args
 * @returns {Command}
 */
export function pnpmCommand(args) {
  const local = localCommand('pnpm', args);
  if (existsSync(local.file)) return local;
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { file: windows ? 'npx.cmd' : 'npx', args: ['--yes', '--prefer-offline', packageManager, ...args] };
}

/**
 * Runs a command with this process's output and answers its exit code. A signal that stops this process stops the
 * command first, so that nothing keeps running behind a closed prompt.
 *
 * @param {Command} command
 * @returns {Promise<number>}
 */
export async function runCommand(command) {
  const child = start(command, 'inherit');
  return ended(child, 'exit');
}

/**
 * Runs a command whose output is wanted only if it fails, or when it has ended.
 *
 * @param {Command} command
 * @returns {Promise<{ readonly code: number, readonly output: string }>}
 */
export async function readCommand(command) {
  const child = start(command, 'pipe');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      output += text;
    });
  }
  return { code: await ended(child, 'close'), output };
}

/**
 * Runs a command as `runCommand` does; beside others, what it prints is shown in one piece, when it has ended.
 *
 * @param {Command} command
 * @param {{ readonly isBeside: boolean }} surroundings
 * @returns {Promise<number>}
 */
export async function runCommandIn(command, { isBeside }) {
  if (!isBeside) return runCommand(command);
  const { code, output } = await readCommand(command);
  process.stdout.write(output);
  return code;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {'exit' | 'close'} event
 * @returns {Promise<number>}
 */
function ended(child, event) {
  const forward = (/** @type {NodeJS.Signals} */ signal) => child.kill(signal);
  process.on('SIGINT', forward);
  process.on('SIGTERM', forward);
  return new Promise((/** @type {(code: number) => void} */ resolve, reject) => {
    child.once('error', reject);
    child.once(event, (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  }).finally(() => {
    process.off('SIGINT', forward);
    process.off('SIGTERM', forward);
  });
}

/**
 * @param {Command} command
 * @param {'inherit' | 'pipe'} output
 */
function start({ file, args, env = {}, niceness = 0 }, output) {
  const child = spawn(file, args, {
    cwd: root,
    stdio: output === 'inherit' ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    // Node starts .cmd files only through a shell.
    shell: windows,
    env: {
      ...process.env,
      PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
      TURBO_TELEMETRY_DISABLED: '1',
      ...env,
    },
  });
  // Before it has started anything of its own, which inherits it.
  if (niceness > 0 && child.pid !== undefined) setPriority(child.pid, niceness);
  return child;
}
