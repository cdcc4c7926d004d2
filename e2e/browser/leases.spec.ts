import { orderBy, placeOrderSurely } from '../demo/shop-client.js';
import { DASHBOARD, expect, test } from './fixture.js';

test.use({ demoEnv: { DEMO_SLOW_MS: '60000' } });

test('the countdown of a lease runs, and starts again when the worker extends it', async ({ page, shop }) => {
  const { jobId } = await placeOrderSurely(shop.url, orderBy('ada@example.org'));
  await page.goto(`${shop.url}${DASHBOARD}/leases`);
  const row = page.getByRole('row').filter({ hasText: jobId });
  await expect(row).toBeVisible();

  const seconds = async () => Number(/(\d+) s/.exec((await row.textContent()) ?? '')?.[1] ?? Number.NaN);
  const first = await seconds();
  expect(first).toBeLessThanOrEqual(15);
  await expect.poll(seconds, { message: 'the countdown runs' }).toBeLessThan(first);
  let last = await seconds();
  // A third of the lease after it was given, which is before it could end.
  const rises = async () => {
    const before = last;
    last = await seconds();
    return last > before;
  };
  await expect.poll(rises, { message: 'the lease is extended', timeout: 15_000, intervals: [250] }).toBe(true);
  expect((await shop.admin.leases()).leases[0]?.extensions).toBeGreaterThanOrEqual(1);
});
