// Which browser the browser tests run in. `node scripts/find-chromium.mjs` prints it.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, posix, win32 } from 'node:path';
import { pathToFileURL } from 'node:url';
import { localCommand, root, runCommand } from './command.mjs';

/**
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {(path: string) => boolean} exists
 */

/** @type {Machine} */
const thisMachine = { platform: process.platform, env: process.env, exists: existsSync };

/**
 * A Chromium or Chrome that is already there: the one that CHROMIUM names, else one in its usual place.
 *
 * @param {Machine} [machine]
 * @returns {string | undefined}
 */
export function installedChromium(machine = thisMachine) {
  const named = machine.env.CHROMIUM;
  if (named !== undefined && named !== '') {
    if (!machine.exists(named)) throw new Error(`CHROMIUM names ${named}, which does not exist.`);
    return named;
  }
  return usualPlaces(machine).find(machine.exists);
}

/**
 * As installedChromium, but fetches one where there is none.
 *
 * @returns {Promise<string>}
 */
export async function findChromium() {
  return (
    installedChromium() ??
    playwrightChromium() ??
    (await downloadChromium()) ??
    (await installDebianChromium()) ??
    refuse()
  );
}

/**
 * @param {Machine} machine
 * @returns {string[]}
 */
function usualPlaces({ platform, env }) {
  if (platform === 'darwin') {
    return ['/Applications', posix.join(env.HOME ?? '/', 'Applications')].flatMap((folder) => [
      `${folder}/Google Chrome.app/Contents/MacOS/Google Chrome`,
      `${folder}/Chromium.app/Contents/MacOS/Chromium`,
    ]);
  }
  if (platform === 'win32') {
    return [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].flatMap((folder) =>
      folder === undefined ? [] : [win32.join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')],
    );
  }
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const folders = (env.PATH ?? '').split(':').filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => posix.join(folder, name)));
}

/** The browser that Playwright downloaded earlier, if it did and if it starts on this machine. */
function playwrightChromium() {
  const require = createRequire(join(root, 'e2e', 'package.json'));
  const path = require('@playwright/test').chromium.executablePath();
  return existsSync(path) && starts(path) ? path : undefined;
}

async function downloadChromium() {
  console.log('No Chromium found: asking Playwright to download one.');
  await runCommand({
    ...localCommand('playwright', ['install', 'chromium'], 'e2e'),
    env: { PLAYWRIGHT_DOWNLOAD_CONNECTION_TIMEOUT: '10000' },
  });
  return playwrightChromium();
}

async function installDebianChromium() {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  console.log('Installing the Debian package chromium.');
  const quietly = { DEBIAN_FRONTEND: 'noninteractive' };
  await runCommand({ file: '/usr/bin/apt-get', args: ['update', '-qq'], env: quietly });
  const packages = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
  await runCommand({ file: '/usr/bin/apt-get', args: packages, env: quietly });
  return installedChromium();
}

/**
 * A downloaded browser lacks the system libraries that a package would have brought along, so "it is there" is not
 * enough. Only Linux has that trouble, and on Windows `--version` opens a window.
 *
 * @param {string} path
 */
function starts(path) {
  return process.platform !== 'linux' || spawnSync(path, ['--version'], { timeout: 20_000 }).status === 0;
}

/** @returns {never} */
function refuse() {
  throw new Error(
    'no Chromium or Chrome was found and none could be installed. Install Chromium or Google Chrome, or let the ' +
      'environment variable CHROMIUM name the program file.',
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  console.log(await findChromium());
}
