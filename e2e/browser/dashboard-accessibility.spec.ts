import type { MockMode, MockRole } from '../dashboard/mock-dashboard.js';
import { expectNoBarrier } from './barriers.js';
import { expect, test } from './mock-fixture.js';

/** Of lists of jobs the few of one queue: axe looks at every cell, and the fiftieth row is like the first. */
const EVERY_PAGE = [
  '',
  'jobs?queue=exports&state=leased',
  'dead',
  'dead?view=jobs&q=class%3AValidationError',
  'leases',
  'storage',
  'activity',
];

/** Where a full or failed store says so is the same on every page. */
const SITUATIONS: readonly (readonly [name: string, mode: MockMode, role: MockRole, pages: readonly string[]])[] = [
  ['with everything to show', 'data', 'admin', EVERY_PAGE],
  ['with nothing to show', 'empty', 'admin', EVERY_PAGE],
  ['with an API that fails', 'failing', 'admin', EVERY_PAGE],
  ['over a full disk', 'full', 'admin', ['', 'storage']],
  ['over a store that has failed', 'failed-store', 'admin', ['', 'storage']],
  ['for somebody who may only look', 'data', 'viewer', ['', 'dead', 'activity']],
];

/** What lies over a page, and how one gets there by keys. */
const OVERLAYS: readonly (readonly [
  name: string,
  path: string,
  keys: readonly string[],
  role: 'complementary' | 'dialog',
])[] = [
  ['an open job', 'jobs?state=dead&q=class%3ATimeoutError', ['j', 'Enter'], 'complementary'],
  ['an open job at work', 'jobs?state=leased&queue=exports', ['j', 'Enter'], 'complementary'],
  ['the plan of a redrive', 'dead', ['j', 'r'], 'dialog'],
  ['the plan of a removal', 'jobs?state=dead&queue=exports', ['j', 'x', '#'], 'dialog'],
  ['the list of commands', '', ['Control+k', 'p', 'a'], 'dialog'],
  ['the list of keys', '', ['?'], 'dialog'],
];

test.beforeEach(async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
});

for (const [name, mode, role, pages] of SITUATIONS) {
  test.describe(name, () => {
    test.use({ provoked: mode === 'failing' ? [/503/] : [] });

    for (const path of pages) {
      test(`/${path} has no barrier, nor is wider than its window`, async ({ page, dashboard }) => {
        await dashboard.become(mode, role);
        await page.goto(`${dashboard.url}${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expectNoBarrier(page, path);
      });
    }
  });
}

for (const [name, path, keys, role] of OVERLAYS) {
  test(`${name} has no barrier`, async ({ page, dashboard }) => {
    await page.goto(`${dashboard.url}${path}`);
    await expect(page.getByRole('row').nth(1)).toBeVisible();
    for (const key of keys) await page.keyboard.press(key);
    await expect(page.getByRole(role)).toBeVisible();
    await expectNoBarrier(page, name);
  });
}
