import { expect, test } from '@playwright/test';

test('the browser renders a page', async ({ page }) => {
  await page.setContent('<h1>Holdfast</h1>');
  await expect(page.getByRole('heading', { name: 'Holdfast' })).toBeVisible();
});
