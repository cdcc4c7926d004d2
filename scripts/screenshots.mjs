// The pictures of the dashboard in docs/images: `npm run screenshots` starts the demo on an empty directory, lets it have a
// bad minute, and takes them. What it shows differs a little each time, as the shop's customers do.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from './command.mjs';
import { installedChromium } from './find-chromium.mjs';

const IMAGES = join(root, 'docs', 'images');
const BUSY_MS = 60_000;
const SETTLED_MS = 2_500;
const MOUNT = '/admin/queues';
/** Where the shop is kept, as the pictures show it: a store always says the whole path, and that of this machine says nothing to a reader. */
const SHOWN_DIRECTORY = '/srv/shop';

const pictures = [
  { name: 'overview-light', path: '/', theme: 'light' },
  { name: 'dead-letters-light', path: '/dead', theme: 'light', keys: ['j', 'Enter'] },
  // Not one that failed: its stack would show where the shop is kept.
  { name: 'job-dark', path: '/jobs?state=completed&queue=receipts', theme: 'dark', keys: ['j', 'Enter'] },
  { name: 'storage-dark', path: '/storage?span=5m', theme: 'dark' },
];

const data = await mkdtemp(join(tmpdir(), 'holdfast-screenshots-'));
const demo = spawn(process.execPath, [join(root, 'apps', 'demo', 'dist', 'main.js')], {
  cwd: data,
  env: { ...process.env, PORT: '0', DEMO_DATA: data, DEMO_CUSTOMER: 'on', DEMO_SEED: '17', DEMO_SLOW_MS: '1500' },
  // It logs each failure, and they are wanted here.
  stdio: ['ignore', 'pipe', 'ignore'],
});
try {
  const shop = await announced(demo);
  await tell(shop, '/receiver/break', { answer: 'gone' });
  await pause(BUSY_MS / 3);
  await tell(shop, '/receiver/break', {});
  await pause((BUSY_MS / 3) * 2);
  await take(shop);
} finally {
  const ended = new Promise((resolve) => demo.once('exit', resolve));
  demo.kill();
  await ended;
  await rm(data, { recursive: true, force: true });
}

/** @typedef {{ fetch(): Promise<{ text(): Promise<string> }>, fulfill(answer: object): Promise<void> }} Route Of Playwright. */

/** @param {string} shop */
async function take(shop) {
  const { chromium } = createRequire(join(root, 'e2e', 'package.json'))('@playwright/test');
  const executablePath = installedChromium();
  const browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    chromiumSandbox: process.getuid?.() !== 0,
    args: [
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  for (const { name, path, theme, keys = [] } of pictures) {
    const page = await browser.newPage({
      viewport: { width: 1280, height: 760 },
      colorScheme: /** @type {'light' | 'dark'} */ (theme),
      reducedMotion: 'reduce',
    });
    await page.route('**/api/v1/storage', async (/** @type {Route} */ route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, body: (await answer.text()).replaceAll(data, SHOWN_DIRECTORY) });
    });
    await page.goto(`${shop}${MOUNT}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await pause(SETTLED_MS);
    for (const key of keys) {
      await page.keyboard.press(key);
      await pause(SETTLED_MS / 5);
    }
    await page.screenshot({ path: join(IMAGES, `${name}.png`) });
    await page.close();
    console.log(`docs/images/${name}.png`);
  }
  await browser.close();
}

/** @param {string} shop @param {string} path @param {object} body */
async function tell(shop, path, body) {
  const response = await fetch(`${shop}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Origin: shop },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} was answered ${response.status}`);
}

/** @param {import('node:child_process').ChildProcess} child @returns {Promise<string>} */
function announced(child) {
  return new Promise((resolve, reject) => {
    let output = '';
    child.once('exit', (code) => reject(new Error(`The demo ended (${code}) while it started:\n${output}`)));
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      output += text;
      const url = /^ *Shop +(http:\S+)/m.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
}
