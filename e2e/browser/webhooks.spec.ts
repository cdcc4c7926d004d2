import { eventually } from '../demo/eventually.js';
import { orderBy, placeOrderSurely, tell } from '../demo/shop-client.js';
import type { Shop } from '../demo/shops.js';
import { DASHBOARD, expect, test } from './fixture.js';

test('a webhook dies, is redriven when the receiver is mended, and completes', async ({ page, shop }) => {
  const id = await deadWebhook(shop);
  await page.goto(`${shop.url}${DASHBOARD}/dead?view=jobs`);
  const row = page.getByRole('row').filter({ hasText: id });
  await expect(row).toContainText('The receiver answered 410');

  await tell(shop.url, '/receiver/mend');
  await page.getByRole('checkbox', { name: `Select job ${id}` }).check();
  await page.getByRole('button', { name: 'Redrive 1 job' }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Redrive/ })
    .click();

  await expect(row).toBeHidden();
  await expectCompleted(shop, id);
  await page.goto(`${shop.url}${DASHBOARD}/jobs?queue=webhooks&job=${encodeURIComponent(id)}`);
  const detail = page.getByRole('complementary', { name: 'Job' });
  await expect(detail).toContainText('completed');
  await expect(detail).toContainText('local visitor');
});

test('all dead webhooks are redriven at once', async ({ page, shop }) => {
  const ids = [await deadWebhook(shop), await deadWebhook(shop), await deadWebhook(shop)];
  await tell(shop.url, '/receiver/mend');
  await page.goto(`${shop.url}${DASHBOARD}/dead`);
  await page.getByRole('button', { name: /^Redrive all \d/ }).click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Redrive/ })
    .click();
  for (const id of ids) await expectCompleted(shop, id);
  await expect(page.getByText('No dead jobs')).toBeVisible();
});

test('keys alone lead to the dead letters and redrive what died of one error', async ({ page, shop }) => {
  const id = await deadWebhook(shop);
  await tell(shop.url, '/receiver/mend');
  await page.goto(`${shop.url}${DASHBOARD}`);
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();

  await page.keyboard.press('g');
  await page.keyboard.press('d');
  await expect(page.getByRole('heading', { level: 1, name: 'Dead letters' })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'The receiver answered' })).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Redrive \d+ jobs?$/ })).toBeVisible();
  await page.keyboard.press('Control+Enter');

  await expect(page.getByRole('dialog')).toBeHidden();
  await expectCompleted(shop, id);
});

/** A webhook that the receiver never wants to hear of: dead at its first attempt. */
async function deadWebhook(shop: Shop): Promise<string> {
  await tell(shop.url, '/receiver/break', { answer: 'gone' });
  const before = await deadIds(shop);
  await placeOrderSurely(shop.url, orderBy('ada@example.org'));
  return eventually('a dead webhook', 15_000, async () => (await deadIds(shop)).find((id) => !before.includes(id)));
}

async function deadIds(shop: Shop): Promise<string[]> {
  return (await shop.admin.deadJobs('webhooks')).rows.map(({ id }) => id);
}

async function expectCompleted(shop: Shop, id: string): Promise<void> {
  await expect.poll(async () => (await shop.admin.job(id)).job.state, { timeout: 15_000 }).toBe('completed');
}
