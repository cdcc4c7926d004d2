import { type BrowserContext, test as base } from '@playwright/test';
import type { StoreKind } from '../dashboard/tested-store.js';
import { type Shop, Shops } from '../demo/shops.js';

export const DASHBOARD = '/admin/queues';

export interface Fixtures {
  /** What keeps the jobs; a project of playwright.config.ts sets it. */
  readonly storeKind: StoreKind;
  /** Set it with `test.use({ demoEnv: … })`. */
  readonly demoEnv: Readonly<Record<string, string>>;
  readonly shop: Shop;
  /** What the browser says because of what the test does on purpose. */
  readonly provoked: readonly RegExp[];
  readonly complaints: string[];
}

export interface SharedFixtures {
  readonly shops: Shops;
}

/** Fails a test when the browser has anything to complain of. Shops are shared: a test looks only at what it did itself. */
export const test = base.extend<Fixtures, SharedFixtures>({
  shops: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const shops = new Shops();
      await use(shops);
      await shops.close();
    },
    { scope: 'worker' },
  ],

  storeKind: ['log', { option: true }],

  demoEnv: [{}, { option: true }],

  shop: async ({ context, shops, demoEnv, storeKind }, use, testInfo) => {
    testInfo.skip(storeKind !== 'log', 'the demo keeps its jobs in a log alone');
    const { demo, shop } = await shops.of(demoEnv);
    await use(shop);
    await closePages(context);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('output of the demo', { body: demo.output, contentType: 'text/plain' });
    }
  },

  provoked: [[], { option: true }],

  complaints: [
    async ({ context, provoked }, use) => {
      const complaints = await collectComplaints(context);
      await use(complaints);
      const unwanted = complaints.filter((complaint) => !provoked.some((pattern) => pattern.test(complaint)));
      base.expect(unwanted, 'what the browser complained of').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';

/** Before a server ends: a page that listens to it would rightly complain of the stream that was cut off. */
export async function closePages(context: BrowserContext): Promise<void> {
  await Promise.all(context.pages().map((page) => page.close()));
}

/** Of all pages of the test: errors on the console, errors that nobody caught, and everything that a content security policy refused. */
async function collectComplaints(context: BrowserContext): Promise<string[]> {
  const complaints: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (uncaught) =>
    complaints.push(`uncaught: ${uncaught.error().stack ?? uncaught.error().message}`),
  );
  await context.exposeFunction('noteViolation', (violation: string) => complaints.push(`policy: ${violation}`));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile }) => {
      const { noteViolation } = window as Window & { noteViolation?: (violation: string) => void };
      noteViolation?.(`${violatedDirective} refused ${blockedURI} in ${sourceFile}`);
    });
  });
  return complaints;
}
