import { type BrowserContext, test as base } from '@playwright/test';
import { AdminClient } from '../demo/admin-client.js';
import { DemoChild } from '../demo/demo-child.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';

export const DASHBOARD = '/admin/queues';

/** A running demo, seen by its user and by its operator. */
export interface Shop {
  readonly url: string;
  readonly admin: AdminClient;
}

export interface Fixtures {
  /** Set it with `test.use({ demoEnv: … })`. */
  readonly demoEnv: Readonly<Record<string, string>>;
  readonly dataDirectory: string;
  readonly shop: Shop;
  readonly complaints: string[];
}

/** Each test has a demo of its own on an empty directory, and fails when the browser has anything to complain of. */
export const test = base.extend<Fixtures>({
  demoEnv: [{}, { option: true }],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  dataDirectory: async ({}, use) => {
    const directory = await temporaryDirectory();
    await use(directory.path);
    await directory.remove();
  },

  shop: async ({ context, dataDirectory, demoEnv }, use, testInfo) => {
    const demo = await DemoChild.start({ dataDirectory, env: demoEnv });
    const url = await demo.url();
    await use({ url, admin: new AdminClient(url) });
    // A page that listens when its server is killed rightly complains of the stream that was cut off.
    await Promise.all(context.pages().map((page) => page.close()));
    await demo.kill();
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('output of the demo', { body: demo.output, contentType: 'text/plain' });
    }
  },

  complaints: [
    async ({ context }, use) => {
      const complaints = await collectComplaints(context);
      await use(complaints);
      base.expect(complaints, 'what the browser complained of').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect } from '@playwright/test';

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
