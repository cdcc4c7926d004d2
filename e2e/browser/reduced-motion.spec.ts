import type { Page } from '@playwright/test';
import { expect, test } from './mock-fixture.js';

const PAGES = ['', 'jobs?state=dead', 'dead', 'leases', 'storage', 'activity'];

/** Of every element, also of what stands before and behind it: whether anything of it would take time to change. */
function moving(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isLong = (durations: string) => durations.split(',').some((duration) => Number.parseFloat(duration) > 0);
    return [...document.querySelectorAll('*')].flatMap((element) =>
      ['', '::before', '::after'].flatMap((part) => {
        const { transitionDuration, animationName, animationDuration, scrollBehavior } = getComputedStyle(
          element,
          part,
        );
        const moves =
          isLong(transitionDuration) ||
          (animationName !== 'none' && isLong(animationDuration)) ||
          scrollBehavior === 'smooth';
        return moves ? [`${element.tagName}.${element.className}${part}`] : [];
      }),
    );
  });
}

for (const [preference, moves] of [
  ['no-preference', true],
  ['reduce', false],
] as const) {
  test.describe(`who asks for motion: ${preference}`, () => {
    test.use({ contextOptions: { reducedMotion: preference } });

    test(
      moves ? 'sees things change in time' : 'sees nothing move, on no page, in no dialog and in no note',
      async ({ page, dashboard }) => {
        const found: string[] = [];
        const look = async () => found.push(...(await moving(page)));
        for (const path of PAGES) {
          await page.goto(`${dashboard.url}${path}`);
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
          // Also while it loads.
          await look();
          await expect(page.getByText(/^Loading/)).toHaveCount(0);
          await look();
        }
        await page.goto(`${dashboard.url}dead`);
        await expect(page.getByRole('table', { name: 'Errors' })).toBeVisible();
        await page.keyboard.press('j');
        await page.keyboard.press('r');
        await expect(page.getByRole('dialog').getByRole('button', { name: /^Redrive [\d,]+ jobs$/ })).toBeVisible();
        await look();
        await page.keyboard.press('Control+Enter');
        // A card with a bar that grows, and a note.
        await expect(page.getByRole('status').filter({ hasText: /^Redriving/ })).toBeVisible();
        await look();
        await page.keyboard.press('Control+k');
        await expect(page.getByRole('dialog')).toBeVisible();
        await look();
        if (moves) expect(found.length).toBeGreaterThan(0);
        else expect([...new Set(found)]).toEqual([]);
        expect(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)).toBe(!moves);
      },
    );
  });
}
