import type { Page } from '@playwright/test';
import { expect, test } from './mock-fixture.js';

/** Characters that turn, hide or ring. */
const HIDING = ['\u202e', '\u2066', '\u200b', '\u0007'];

/** What users of other dashboards reported, each as a test of its whole kind. What concerns the server alone is tested with it. */

test('a bulk act changes exactly the jobs that its plan counted, not those of another filter', async ({
  page,
  dashboard,
}) => {
  await page.goto(`${dashboard.url}jobs?state=dead&q=class%3ATimeoutError`);
  await page.getByRole('button', { name: /^Select all/ }).click();
  const total = numberIn(await page.getByRole('status').filter({ hasText: 'that match' }).textContent());
  await page.getByRole('button', { name: /^Redrive/ }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Redrive [\d,]+ jobs?$/ });
  expect(numberIn(await confirm.textContent())).toBe(total);
  await page
    .getByRole('textbox', { name: /^Jobs a second/ })
    .or(page.getByRole('textbox', { name: /^Reason/ }))
    .last()
    .press('Control+Enter');
  await expect(page.getByText(`${total} jobs redriven`)).toBeVisible({ timeout: 30_000 });
  await page.goto(`${dashboard.url}jobs?state=dead&q=class%3ATimeoutError`);
  await expect(page.getByText('No job matches the filter')).toBeVisible();
  await page.goto(`${dashboard.url}dead`);
  await expect(page.getByText('ConnectionError').first()).toBeVisible();
});

test('nothing is removed without a dialog that says how many, and it can be undone before it begins', async ({
  page,
  dashboard,
}) => {
  await page.goto(`${dashboard.url}jobs?state=completed&queue=exports`);
  const before = await totalOf(page);
  await expect(page.getByText('staging')).toBeVisible();
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: /^Remove \d+ jobs$/ });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Only a test');
  await confirm.click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone: nothing was changed')).toBeVisible();
  expect(await totalOf(page)).toBeGreaterThanOrEqual(before);
});

test('the number that is shown is the number that was done and skipped', async ({ page, dashboard }) => {
  await page.goto(`${dashboard.url}jobs?state=scheduled`);
  await page.getByRole('button', { name: /^Select all/ }).click();
  await page.getByRole('button', { name: /^Run now/ }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: /^Run \d+ jobs now$/ });
  const planned = numberIn(await confirm.textContent());
  await confirm.click();
  await page.goto(`${dashboard.url}activity`);
  const row = page.getByRole('table', { name: 'Operations' }).getByRole('row').nth(1);
  await expect(row).toContainText('done', { timeout: 30_000 });
  await expect(row).toContainText(`${planned} of ${planned}`);
});

test('numbers keep the characters that they were sent with', async ({ page, dashboard }) => {
  await page.goto(`${dashboard.url}jobs?state=ready&queue=receipts`);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  const panel = page.getByRole('complementary', { name: 'Job' });
  for (const literal of ['1970670598291982290', '1e400', '-0', '1.10']) {
    await expect(panel.getByText(literal, { exact: true })).toBeVisible();
  }
  await expect(panel.getByText('"orderId"', { exact: true })).toHaveCount(2);
});

test('a list answer is small however large the payloads are, and a large payload is shown in parts', async ({
  page,
  dashboard,
}) => {
  const listed = page.waitForResponse((response) => /api\/v1\/jobs\?/.test(response.url()));
  await page.goto(`${dashboard.url}jobs`);
  expect((await (await listed).body()).length).toBeLessThan(60_000);
});

test('what is refused is said in words, and acts that a viewer may not do say why', async ({
  page,
  dashboard,
  complaints,
}) => {
  await dashboard.become('closed');
  await page.goto(dashboard.url);
  await expect(page.getByRole('alert')).toContainText('authorize');
  await dashboard.become('data', 'viewer');
  await page.goto(`${dashboard.url}dead`);
  const redrive = page.getByRole('button', { name: /^Redrive all of/ }).first();
  await expect(redrive).toHaveAttribute('aria-disabled', 'true');
  // Playwright waits for what is disabled; a person does not.
  await redrive.click({ force: true });
  await expect(page.getByRole('dialog')).toHaveCount(0);
  // The note goes with a press; it is back for whoever comes to the button again.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(redrive).toBeFocused();
  await expect(page.getByRole('tooltip')).toContainText('yours is viewer');
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !/ 403 /.test(text)));
});

test('text from outside is never markup and never hides, in any list or panel', async ({ page, dashboard }) => {
  const raised: string[] = [];
  page.on('dialog', (dialog) => {
    raised.push(dialog.message());
    void dialog.dismiss();
  });
  for (const path of [
    '',
    'jobs',
    'dead',
    'leases',
    'activity',
    'jobs?queue=%C3%A9vil%2Fqueue%20%3F%23%25%2B%E2%80%AE%3Cb%3E',
  ]) {
    await page.goto(`${dashboard.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    expect(await page.locator('main img, main script, main iframe').count()).toBe(0);
    const shown = (await page.locator('main').textContent()) ?? '';
    expect(HIDING.filter((character) => shown.includes(character))).toEqual([]);
  }
  await page.goto(
    `${dashboard.url}jobs?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E&name=%22%3E%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E`,
  );
  await expect(page.getByText('No job matches the filter')).toBeVisible();
  expect(raised).toEqual([]);
});

test('a queue whose name has every awkward character lists, filters, opens and acts', async ({ page, dashboard }) => {
  await page.goto(dashboard.url);
  const row = page.getByRole('row').filter({ hasText: 'évil/queue' });
  await row.getByRole('button', { name: /^Pause/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await expect(row).toContainText('paused');
  await row.getByRole('button', { name: /^Resume/ }).click();
  await expect(row).not.toContainText('paused');
  await row.getByRole('rowheader').getByRole('link').click();
  await expect(page.getByRole('combobox', { name: 'Filter' })).toHaveValue(/^queue:"évil\/queue/);
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page.getByRole('complementary', { name: 'Job' })).toContainText('évil/queue');
});

test('a refresh moves no row under the pointer, and loses neither filter nor selection nor focus', async ({
  page,
  dashboard,
}) => {
  await page.goto(`${dashboard.url}jobs?queue=receipts`);
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  await rows.nth(3).hover();
  const ids = () => rows.evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
  const before = await ids();
  await rows.nth(2).getByRole('checkbox').check();
  await rows.nth(4).getByRole('link').first().focus();
  await expect(page.getByText(/\d+ newer/)).toBeVisible({ timeout: 60_000 });
  expect(await ids()).toEqual(before);
  await expect(rows.nth(2).getByRole('checkbox')).toBeChecked();
  await expect(rows.nth(4).getByRole('link').first()).toBeFocused();
  await expect(page).toHaveURL(/queue=receipts$/);
});

test.describe('with a browser clock that is seven minutes wrong', () => {
  test.use({ mockOptions: ['--skew=420000'] });

  test('ages and countdowns are those of the server', async ({ page, dashboard }) => {
    await page.goto(`${dashboard.url}jobs?state=leased`);
    await expect(page.getByRole('row').nth(1)).toContainText(/held \d+ s|held [12] min/);
    await page.goto(`${dashboard.url}leases`);
    const leases = page.getByRole('table', { name: 'Leases' });
    await expect(leases.getByRole('row').last()).toContainText(/\d+ s/);
    await expect(leases).not.toContainText(/-\d+ (s|min)/);
  });
});

test('a list says how many there are, and nothing can be done with nothing selected', async ({ page, dashboard }) => {
  await page.goto(`${dashboard.url}jobs?state=dead`);
  await expect(page.getByText(/^1–50 of 1,204$/)).toBeVisible();
  await expect(page.getByRole('button', { name: /^Redrive/ })).toHaveCount(0);
  await page.keyboard.press('r');
  await expect(page.getByText('Select jobs first.')).toBeVisible();
  await page.goto(`${dashboard.url}jobs?q=payload.customer.vip%3Atrue`);
  await expect(page.getByText(/looked at/)).toBeVisible();
});

test('unrelated errors are not in one group, and one without a message is named by its class', async ({
  page,
  dashboard,
}) => {
  await page.goto(`${dashboard.url}dead`);
  const rows = page.getByRole('table', { name: 'Errors' }).getByRole('row');
  await expect(rows.filter({ hasText: 'ConnectionError' })).toHaveCount(1);
  await expect(rows.filter({ hasText: 'TimeoutError' })).toHaveCount(1);
  await rows.filter({ hasText: 'TimeoutError' }).getByRole('button').first().click();
  await page.getByRole('link', { name: /^Open/ }).click();
  await expect(page.getByRole('row').nth(1)).toContainText('TimeoutError');
  await expect(page.getByRole('row').filter({ hasText: 'ConnectionError' })).toHaveCount(0);
});

test.describe('under a path of its own', () => {
  test.use({ mockOptions: ['--mount', '/ops/admin/queues/'] });

  test('every page, deep link, reload and file is found', async ({ page, dashboard }) => {
    for (const path of ['', 'jobs?state=dead', 'dead', 'leases', 'storage', 'activity']) {
      await page.goto(`${dashboard.url}${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await page.reload();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    }
    await page.getByRole('link', { name: 'Jobs' }).click();
    await expect(page).toHaveURL(/\/ops\/admin\/queues\/jobs$/);
  });
});

function numberIn(text: string | null): number {
  return Number(/[\d,]+/.exec(text ?? '')?.[0].replaceAll(',', ''));
}

async function totalOf(page: Page): Promise<number> {
  const foot = page.getByText(/ of [\d,]+$/);
  return Number(/of ([\d,]+)$/.exec((await foot.textContent()) ?? '')?.[1]?.replaceAll(',', ''));
}
