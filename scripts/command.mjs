// How the scripts start other programs: always in the repository's root, with the installed tools on PATH.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export const root = join(import.meta.dirname, '..');

const windows = process.platform === 'win32';
const binaries = join(root, 'node_modules', '.bin');

/** The program of that name which `install` put into node_modules. */
export function localCommand(name, args) {
  return { file: join(binaries, windows ? `${name}.cmd` : name), args };
}

/** The pinned pnpm: the installed copy, or before the first install the one that npx fetches and keeps in npm's cache. */
export function pnpmCommand(args) {
  const local = localCommand('pnpm', args);
  if (existsSync(local.file)) return local;
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return { file: windows ? 'npx.cmd' : 'npx', args: ['--yes', '--prefer-offline', packageManager, ...args] };
}

/**
 * Runs a command with this process's output and answers its exit code. A signal that stops this process stops the
 * command first, so that nothing keeps running behind a closed prompt.
 */
export function runCommand({ file, args, env = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd: root,
      stdio: 'inherit',
      // Node starts .cmd files only through a shell.
      shell: windows,
      env: {
        ...process.env,
        PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
        TURBO_TELEMETRY_DISABLED: '1',
        ...env,
      },
    });
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', forward);
    process.on('SIGTERM', forward);
    const settle = () => {
      process.off('SIGINT', forward);
      process.off('SIGTERM', forward);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', (code, signal) => {
      settle();
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}
