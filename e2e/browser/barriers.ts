import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './mock-fixture.js';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** That axe finds nothing on the page as it is, in both themes: the second one has the same elements in other colours. */
export async function expectNoBarrier(page: Page, where: string): Promise<void> {
  await expect(page.getByText(/^(Loading|Counting)/)).toHaveCount(0);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect.soft(await barriers(page, (axe) => axe.withTags(TAGS)), where).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  expect.soft(await barriers(page, (axe) => axe.withRules(['color-contrast'])), `${where}, in dark`).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect.soft(wider, `${where} is wider than its window`).toBeLessThanOrEqual(0);
}

async function barriers(page: Page, choose: (axe: AxeBuilder) => AxeBuilder) {
  // Legacy: without a page of its own for the report, which costs as much as the checks. There are no frames to gather from.
  const { violations } = await choose(new AxeBuilder({ page }).setLegacyMode()).analyze();
  return violations.map(({ id, nodes }) => ({ id, where: nodes.slice(0, 3).map(({ html }) => html) }));
}
