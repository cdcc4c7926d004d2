import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { installedChromium } from '../scripts/find-chromium.mjs';

const chromium = installedChromium();
const results = join(import.meta.dirname, '..', '.test-results');

export default defineConfig({
  testDir: 'browser',
  outputDir: join(results, 'browser'),
  // The machines that this has to run on have two cores, and the demo and the browser keep both busy.
  workers: 1,
  // Each spec starts a shop of its own, and a page with axe takes seconds on a busy machine of two cores.
  timeout: 120_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? join(results, 'browser.json') }],
  ],
  use: {
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions: {
      // Without a path Playwright takes the browser that it downloaded itself.
      ...(chromium === undefined ? {} : { executablePath: chromium }),
      // The sandbox refuses to work for root, which is what tests in a container run as.
      chromiumSandbox: process.getuid?.() !== 0,
      // Keeps the browser from calling home, which on a machine without network fills the log with errors.
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-gpu',
        '--disable-quic',
        '--disable-sync',
        '--no-first-run',
      ],
    },
  },
});
