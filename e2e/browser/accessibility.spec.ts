import { AxeBuilder } from '@axe-core/playwright';
import { eventually } from '../demo/eventually.js';
import { orderBy, placeOrderSurely, tell } from '../demo/shop-client.js';
import { DASHBOARD, expect, test } from './fixture.js';

// One receipt at work, one webhook dead: every page has something to show.
test.use({ demoEnv: { DEMO_SLOW_MS: '60000' } });

const pages = [
  { name: 'the shop', path: () => '/' },
  { name: 'the overview', path: () => DASHBOARD },
  { name: 'the jobs', path: () => `${DASHBOARD}/jobs` },
  { name: 'a job', path: (deadId: string) => `${DASHBOARD}/jobs?job=${encodeURIComponent(deadId)}` },
  { name: 'the dead letters', path: () => `${DASHBOARD}/dead` },
  { name: 'the leases', path: () => `${DASHBOARD}/leases` },
  { name: 'the storage', path: () => `${DASHBOARD}/storage` },
  { name: 'the activity', path: () => `${DASHBOARD}/activity` },
];

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no page has a barrier, in ${colorScheme}`, async ({ page, shop }) => {
    await tell(shop.url, '/receiver/break', { answer: 'gone' });
    await placeOrderSurely(shop.url, orderBy('ada@example.org'));
    const deadId = await eventually(
      'a dead webhook',
      15_000,
      async () => (await shop.admin.deadJobs('webhooks')).rows[0]?.id,
    );
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    for (const { name, path } of pages) {
      await test.step(name, async () => {
        await page.goto(`${shop.url}${path(deadId)}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        // Not until the network is idle: the stream of events never is.
        await expect(page.getByText(/^Loading/)).toHaveCount(0);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect
          .soft(
            violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) })),
            name,
          )
          .toEqual([]);
      });
    }
  });
}
