import type { JobStore } from '@holdfast/contract';
import { openLogStore } from '@holdfast/core';
import { LoneDashboard } from '../dashboard/lone-dashboard.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';
import { test as base, closePages, expect } from './fixture.js';

interface LoneFixtures {
  /** The application that has the log open: this very process. */
  readonly owner: JobStore;
  readonly lone: LoneDashboard;
  readonly directory: string;
}

const test = base.extend<LoneFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  directory: async ({}, use) => {
    const directory = await temporaryDirectory();
    await use(directory.path);
    await directory.remove();
  },

  owner: async ({ directory }, use) => {
    const owner = await openLogStore({ directory });
    await owner.enqueue(Array.from({ length: 3 }, () => ({ queue: 'mail', name: 'send', payload: '{"to":"ada"}' })));
    const [dead] = await owner.claim({ queues: ['mail'], limit: 1, leaseMs: 60_000, worker: 'shop-a:4100' });
    const error = { class: 'TypeError', message: 'no mailbox' };
    // biome-ignore lint/suspicious/noThenProperty: the word of the contract.
    await owner.fail([{ id: dead!.id, token: dead!.token, error, then: 'dead' }]);
    await owner.claim({ queues: ['mail'], limit: 1, leaseMs: 3_600_000, worker: 'shop-a:4100' });
    await use(owner);
    await owner.close();
  },

  lone: async ({ context, directory, owner }, use) => {
    expect(owner.health().status).toBe('open');
    const lone = await LoneDashboard.start(directory);
    await use(lone);
    await closePages(context);
    await lone.stop();
  },
});

test('the printed address opens every page over a log that another process owns, read-only and without a complaint', async ({
  page,
  lone,
  owner,
}, testInfo) => {
  await page.goto(lone.address);
  expect(page.url()).not.toContain('token');
  const banner = page.getByRole('alert').filter({ hasText: 'Read-only' });
  await expect(banner).toContainText(/the jobs as of .*Process \d+ had the log open/s);
  await expect(page.getByRole('table').getByRole('link', { name: 'mail' }).first()).toBeVisible();
  await testInfo.attach('overview', { body: await page.screenshot(), contentType: 'image/png' });

  for (const path of ['jobs?state=ready', 'dead', 'leases', 'storage', 'activity']) {
    await page.goto(new URL(path, lone.address).href);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(banner).toBeVisible();
  }
  await page.goto(new URL('leases', lone.address).href);
  await expect(page.getByText('not in the log')).toBeVisible();

  await page.goto(new URL('jobs?state=dead', lone.address).href);
  await page.getByRole('table').getByText('send').first().click();
  const redrive = page.getByRole('complementary').getByRole('button', { name: 'Redrive' });
  await expect(redrive).toHaveAttribute('aria-disabled', 'true');
  await testInfo.attach('job', { body: await page.screenshot(), contentType: 'image/png' });

  await page.goto(new URL('jobs?queue=late', lone.address).href);
  await owner.enqueue([{ queue: 'late', name: 'arrives-later', payload: '{}' }]);
  await expect(page.getByRole('table').getByText('arrives-later')).toBeVisible({ timeout: 30_000 });
});
