import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { installedChromium } from '../scripts/find-chromium.mjs';
import type { Fixtures } from './browser/fixture.js';

const chromium = installedChromium();
const results = join(import.meta.dirname, '..', '.test-results');

/**
 * Each over a store. Over PostgreSQL a run does what touches every page and every act; with `HOLDFAST_BROWSER_STORE=postgres` it does all there, and
 * what is about the log or about no store at all is skipped with that reason.
 */
const log = { name: 'log', use: { storeKind: 'log' } } as const;
const postgres = { name: 'postgres', use: { storeKind: 'postgres' } } as const;
const isAllOverPostgres = process.env.HOLDFAST_BROWSER_STORE === 'postgres';

export default defineConfig<Fixtures>({
  projects: isAllOverPostgres ? [postgres] : [log, { ...postgres, grep: /@postgres/ }],
  testDir: 'browser',
  outputDir: join(results, 'browser'),
  // As many as the machines have cores that this has to run on. Tests share no more than the servers of their worker.
  workers: 2,
  fullyParallel: true,
  // A page with axe takes seconds on a busy machine.
  timeout: 120_000,
  forbidOnly: process.env.CI !== undefined,
  reporter: [
    ['list'],
    ['json', { outputFile: process.env.PLAYWRIGHT_JSON_OUTPUT_FILE ?? join(results, 'browser.json') }],
  ],
  use: {
    screenshot: 'only-on-failure',
    // Recording one costs as much as the test. A failure shows the page's text and picture; `npm run test:browser -- orders --trace on` shows all.
    trace: 'off',
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
