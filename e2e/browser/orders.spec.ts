import { DASHBOARD, expect, test } from './fixture.js';

test.describe('an order', () => {
  test.use({ demoEnv: { DEMO_SLOW_MS: '6000' } });

  test('appears in the dashboard, completes, and its mail is in the mailbox', async ({ page, context, shop }) => {
    await page.goto(shop.url);
    await page.getByLabel('Name').fill('Grace <b>Hopper</b>');
    await page.getByRole('button', { name: 'Place order' }).click();
    const answer = page.getByRole('status').filter({ hasText: 'is on disk' });
    await expect(answer).toBeVisible();
    const [, orderId, jobId] =
      /^Order (\S+) is on disk\. Its receipt is job (\S+)\.$/.exec((await answer.textContent()) ?? '') ?? [];

    const dashboard = await context.newPage();
    await dashboard.goto(`${shop.url}${DASHBOARD}/jobs?queue=receipts`);
    const row = dashboard.getByRole('row').filter({ hasText: jobId ?? 'the answer names no job' });
    await expect(row).toContainText('leased');
    await expect(row).toContainText('completed', { timeout: 15_000 });

    const ordered = page.getByRole('row').filter({ hasText: orderId ?? 'the answer names no order' });
    await ordered.getByRole('link', { name: 'in the mailbox' }).click();
    await expect(page.getByText(`Message-ID: <order-${orderId}@shop.holdfast.example>`)).toBeVisible();
  });
});

test('an order that cannot be used is refused by its field, and becomes no job', async ({ page, shop, complaints }) => {
  await page.goto(shop.url);
  await page.getByLabel('Price in cents').fill('-1');
  await page.getByRole('button', { name: 'Place order' }).click();
  await expect(page.getByRole('status')).toContainText('items[0].unitPriceCents must be a whole number');
  expect(await (await fetch(`${shop.url}/admin/queues/api/v1/jobs`)).json()).toMatchObject({ rows: [] });
  // The browser itself notes the answer 400 on the console, and nothing else.
  expect(complaints.splice(0)).toEqual([expect.stringContaining('400 (Bad Request)')]);
});

test('the shop shows who is at work and lets one change it', async ({ page, shop }) => {
  await page.goto(shop.url);
  await page.getByRole('button', { name: 'Mend it' }).click();
  await expect(page.getByText('answers well')).toBeVisible();
  await page.getByRole('button', { name: 'Break it' }).click();
  await expect(page.getByText('fails at times')).toBeVisible();
  await page.getByRole('button', { name: 'Call back' }).click();
  await expect(page.getByText('buys about once a second')).toBeVisible();
  await expect(page.getByText('on its way').or(page.getByText('in the mailbox')).first()).toBeVisible();
  await page.getByRole('button', { name: 'Send away' }).click();
  await expect(page.getByText('has left')).toBeVisible();
});
