import { AdminClient } from '../demo/admin-client.js';
import { eventually } from '../demo/eventually.js';
import { orderBy, placeOrder } from '../demo/shop-client.js';
import { Supervisor } from '../demo/supervisor.js';
import { temporaryDirectory } from '../demo/temporary-directory.js';
import { DASHBOARD, expect, test } from './fixture.js';

test('a job that killed its process again and again is dead, with its attempts to be seen', async ({ page }) => {
  const directory = await temporaryDirectory();
  const supervisor = new Supervisor({ dataDirectory: directory.path, env: { DEMO_POISON: 'on' } });
  try {
    // The answer may die with the process.
    await placeOrder(await supervisor.url(), orderBy('poison@example.org', 'poison'));
    const dead = await eventually('the poison order is dead', 90_000, async () => {
      const jobs = await new AdminClient(await supervisor.url()).deadJobs('receipts');
      return jobs.rows[0];
    });

    await page.goto(`${await supervisor.url()}${DASHBOARD}/dead?view=jobs`);
    const row = page.getByRole('row').filter({ hasText: dead.id });
    await expect(row).toContainText('4/4');
    await expect(row).toContainText('ProcessEnded');
    await row.getByRole('link').first().click();
    const detail = page.getByRole('complementary', { name: 'Job' });
    await expect(detail.getByText('process ended', { exact: true })).toHaveCount(4);
  } finally {
    await page.close();
    await supervisor.stop();
    await directory.remove();
  }
});
