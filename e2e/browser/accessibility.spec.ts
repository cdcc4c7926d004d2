import { eventually } from '../demo/eventually.js';
import { orderBy, placeOrderSurely, tell } from '../demo/shop-client.js';
import { expectNoBarrier } from './barriers.js';
import { DASHBOARD, expect, test } from './fixture.js';

// One receipt at work, one webhook dead.
test.use({ demoEnv: { DEMO_SLOW_MS: '60000' } });

test('neither the shop nor its dashboard has a barrier', async ({ page, shop }) => {
  await tell(shop.url, '/receiver/break', { answer: 'gone' });
  await placeOrderSurely(shop.url, orderBy('ada@example.org'));
  const deadId = await eventually(
    'a dead webhook',
    15_000,
    async () => (await shop.admin.deadJobs('webhooks')).rows[0]?.id,
  );
  for (const path of ['/', DASHBOARD, `${DASHBOARD}/jobs?job=${encodeURIComponent(deadId)}`]) {
    await page.goto(`${shop.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectNoBarrier(page, path);
  }
});
