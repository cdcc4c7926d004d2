import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from './mock-fixture.js';

const PAGES = ['', 'jobs', 'dead', 'dead?view=jobs', 'leases', 'storage', 'activity'];
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

test('no page has a barrier, nor is wider than its window, when everything has something to show', async ({
  page,
  dashboard,
}) => {
  test.setTimeout(300_000);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  for (const path of PAGES) {
    await page.goto(`${dashboard.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
    const found = violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) }));
    expect.soft(found, path).toEqual([]);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect.soft(wider, `${path} is wider than its window`).toBeLessThanOrEqual(0);
  }
});
