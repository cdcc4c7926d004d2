import type { Page } from '@playwright/test';
import { Wire } from '../dashboard/wire.js';
import { closePages } from './fixture.js';
import { test as mockTest } from './mock-fixture.js';
import { COUNTED_IN_PART, expect, test as operatedTest } from './operated-fixture.js';

/** What users of other dashboards reported about many jobs, refreshes that get in the way, and time. */

const SLOW_MS = 2_000;

operatedTest(
  '6: of 20,001 jobs the first page and a deep one are small, exact, and found without a search',
  async ({ page, operated, storeKind }) => {
    operatedTest.skip(storeKind === 'postgres', COUNTED_IN_PART);
    await operated.enqueue(
      'mail',
      Array.from({ length: 20_001 }, () => ({ payload: JSON.stringify({ text: 'x'.repeat(500) }) })),
    );
    const bodies: { rows: { id: string }[]; scan?: unknown; total: unknown; next?: string }[] = [];
    await page.goto(`${operated.url}jobs?queue=mail`);
    await expect(page.getByText('1–50 of 20,001', { exact: true })).toBeVisible();
    let next: string | undefined;
    for (let number = 0; number < 100; number++) {
      const cursor = next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`;
      const response = await page.request.get(`${operated.url}api/v1/jobs?queue=mail&limit=200${cursor}`);
      const body = await response.body();
      expect(body.length).toBeLessThan(100_000);
      bodies.push(JSON.parse(String(body)));
      next = bodies.at(-1)?.next;
    }
    expect(new Set(bodies.flatMap(({ rows }) => rows.map(({ id }) => id))).size).toBe(20_000);
    for (const { scan, total } of bodies) {
      expect({ scan, total }).toEqual({ scan: undefined, total: { value: 20_001, relation: 'exact' } });
    }
    await page.goto(`${operated.url}jobs?queue=mail&cursor=${encodeURIComponent(next ?? '')}`);
    await expect(
      page.getByText('50 of 20,001', { exact: true }).or(page.getByText('1 of 20,001', { exact: true })),
    ).toBeVisible();
  },
);

operatedTest(
  '12: on a slow wire a refresh moves no row, and loses neither filter, selection, focus, scroll nor open job',
  async ({ context, page, operated }) => {
    await operated.enqueue(
      'mail',
      Array.from({ length: 60 }, () => ({})),
    );
    const wire = await Wire.start(operated.url, { delayMs: SLOW_MS });
    await page.goto(`${wire.url}jobs?queue=mail`);
    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    await expect(rows).toHaveCount(50);
    await rows.nth(30).scrollIntoViewIfNeeded();
    await rows.nth(30).hover();
    await rows.nth(28).getByRole('checkbox').check();
    await rows.nth(29).getByRole('link').first().focus();
    const before = await order(page);
    const scrolled = await scrollsOf(page);

    await operated.enqueue('mail', [{}, {}, {}]);
    await expect(page.getByText('3 newer: show')).toBeAttached();
    expect(await order(page)).toEqual(before);
    await expect(rows.nth(28).getByRole('checkbox')).toBeChecked();
    await expect(rows.nth(29).getByRole('link').first()).toBeFocused();
    expect(await scrollsOf(page)).toEqual(scrolled);

    // Times of another zone are written into the same page.
    await page.getByRole('button', { name: 'Local time' }).click();
    await expect(page.getByRole('button', { name: 'UTC' })).toBeVisible();
    await expect(rows.nth(28).getByRole('checkbox')).toBeChecked();
    expect(await order(page)).toEqual(before);
    expect(await scrollsOf(page)).toEqual(scrolled);
    await rows.nth(29).getByRole('link').first().focus();

    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/queue=mail&job=/);
    await expect(page.getByRole('complementary', { name: 'Job' })).toContainText('Payload');
    await page.goBack();
    await expect(page).toHaveURL(/queue=mail$/);
    await expect(rows.nth(28).getByRole('checkbox')).toBeChecked();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 1 job' }).click();
    await expect(page.getByText('1 job cancelled')).toBeVisible();
    await expect(page).toHaveURL(/queue=mail$/);
    await closePages(context);
    await wire.stop();
  },
);

/** Two minutes before the clocks of Berlin go back an hour; the browser's own clock is off by as much as today is from then. */
const SKEW_MS = Date.parse('2026-10-25T00:58:00Z') - Date.now();

mockTest.describe('in the night in which clocks go back, with a browser whose clock is wrong', () => {
  mockTest.use({ mockOptions: [`--skew=${SKEW_MS}`], timezoneId: 'Europe/Berlin' });

  mockTest(
    '13: ages and countdowns are those of the server, and all times are of one zone',
    async ({ page, dashboard }) => {
      for (const path of ['', 'jobs?state=leased', 'jobs?state=scheduled', 'leases', 'activity']) {
        await page.goto(`${dashboard.url}${path}`);
        await expect(page.getByRole('row').nth(1)).toBeVisible();
        await expect(page.locator('main')).not.toContainText(/-\d+ ?(s|min|h|d)\b/);
        // Nothing is as old as the browser's clock would have it; acts are kept for 90 d.
        await expect(page.locator('main')).not.toContainText(/\b\d{2,} d ago\b/);
      }
      await page.goto(`${dashboard.url}jobs?state=leased`);
      await expect(page.getByRole('row').nth(1)).toContainText(/held (\d+ s|[12] min)/);

      await page.goto(`${dashboard.url}storage?span=5m`);
      await page.getByRole('button', { name: 'Table' }).first().click();
      const first = page.getByRole('table').first().getByRole('row').nth(1).getByRole('cell').first();
      await expect(first).toHaveText(/^0[23]:/);
      await page.getByRole('button', { name: 'Local time' }).click();
      // Still a table: nothing of the page begins anew.
      await expect(first).toHaveText(/^0[01]:/);
      for (const path of ['storage?span=5m', 'leases', '']) {
        await page.goto(`${dashboard.url}${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        await expect(page.getByText(/^Loading/)).toHaveCount(0);
        // None of them is of the former zone.
        const labels = await page.getByText(/\b\d\d:\d\d\b/).allTextContents();
        const clocks = labels.flatMap((label) => label.match(/\b\d\d:\d\d/g) ?? []);
        expect(clocks.filter((clock) => !/^(0[01]|2[0-3])/.test(clock))).toEqual([]);
      }
    },
  );
});

function order(page: Page): Promise<(string | null)[]> {
  return page.getByRole('row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-row')));
}

function scrollsOf(page: Page): Promise<number[]> {
  return page.evaluate(() => [...document.querySelectorAll('main, html')].map((part) => part.scrollTop));
}
