import type { Locator } from '@playwright/test';
import { expect, test } from './operated-fixture.js';

/** What a page looks like whose names are long and whose queues are full: nothing that tells one from another may be cut. */

const PAGES = ['', 'jobs', 'dead', 'leases', 'storage', 'activity'];
const HOST = 'ip-10-0-12-34.eu-central-1.compute.internal:4711';
const LONG_NAME = 'com.example.billing.subscription.renewal.payment-method-expiring-soon.v2';
const LONG_QUEUE = 'billing.subscription-renewal.europe-1';
const LINE_PX = 20;

test.use({ operatedOptions: { environmentLabel: 'staging eu-central-1 blue' } });

for (const width of [390, 768]) {
  test(`a long name of the environment moves nothing out of sight, ${width} pixels wide`, async ({
    page,
    operated,
  }) => {
    await page.setViewportSize({ width, height: 844 });
    for (const path of PAGES) {
      await page.goto(operated.url + path);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(await overflow(), path).toBeLessThanOrEqual(0);
      const theme = await boxOf(page.getByRole('radio', { name: 'Dark' }));
      expect(theme.x + theme.width).toBeLessThanOrEqual(width);
    }
  });
}

test('who looks is told where there is room for it', async ({ page, operated }) => {
  await page.setViewportSize({ width: 768, height: 844 });
  await page.goto(operated.url);
  const actor = page.getByTitle(/^grace@example\.org/);
  expect((await boxOf(actor)).width).toBeGreaterThan(100);
});

for (const width of [390, 768, 1280]) {
  test(`workers of one machine are told apart, on one line each, ${width} pixels wide`, async ({ page, operated }) => {
    await operated.enqueue('mail', [{}, {}]);
    for (const worker of [`${HOST}/receipts`, `${HOST}/webhooks`]) {
      await operated.store.claim({ queues: ['mail'], limit: 1, leaseMs: 60_000, worker });
    }
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${operated.url}leases`);
    const workers = page.getByRole('table', { name: 'Workers' }).getByRole('row');
    for (const end of ['4711/receipts', '4711/webhooks']) {
      const row = workers.filter({ hasText: end });
      expect((await boxOf(row)).height).toBeLessThan(2 * LINE_PX);
      expect(await isCut(row.getByText(end.slice(-8)).last())).toBe(false);
    }
  });
}

test('the name of a queue is whole on two lines where one has no room for it, and makes no row higher', async ({
  page,
  operated,
}) => {
  for (const queue of [LONG_QUEUE, 'mail']) {
    await operated.enqueue(queue, [{}, {}]);
    await operated.lease(queue, 1);
  }
  await page.setViewportSize({ width: 1280, height: 844 });
  for (const path of ['', 'jobs', 'leases']) {
    await page.goto(operated.url + path);
    const rowOf = (queue: string) => page.getByRole('row').filter({ has: page.getByTitle(queue, { exact: true }) });
    expect(await isCut(rowOf(LONG_QUEUE).first().getByText(LONG_QUEUE)), path).toBe(false);
    const heights = [await boxOf(rowOf(LONG_QUEUE).first()), await boxOf(rowOf('mail').first())].map(
      ({ height }) => height,
    );
    expect(Math.abs((heights[0] ?? 0) - (heights[1] ?? 0)), path).toBeLessThanOrEqual(1);
  }
});

test('the id of a job is whole, however long its name is', async ({ page, operated }) => {
  const [id = ''] = await operated.enqueue('mail', [{ name: LONG_NAME }]);
  for (const width of [390, 768, 1280, 1920]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${operated.url}jobs`);
    expect(await isCut(page.getByRole('link').getByText(id)), String(width)).toBe(false);
  }
});

test('a long error takes two lines of the overview, and its count is told first', async ({ page, operated }) => {
  await operated.bury('mail', [{ class: 'Error', message: 'x'.repeat(400), stack: '' }]);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(operated.url);
  const line = page.getByRole('link', { name: /^New error \d+ s ago \(1 dead job\): Error: x/ });
  expect((await boxOf(line)).height).toBeLessThan(3 * LINE_PX);
});

test('what is wrong with a filter hides nothing of the page', async ({ page, operated }) => {
  await page.goto(`${operated.url}jobs`);
  await page.getByRole('combobox', { name: 'Filter' }).fill('foo:bar');
  const problem = page.getByText(/^foo: is not a key/);
  const { y, height } = await boxOf(problem);
  const states = await boxOf(page.getByRole('link', { name: /^All/ }));
  expect(y + height).toBeLessThanOrEqual(states.y);
});

test('a dialog begins with what it needs to be told', async ({ page, operated }) => {
  const [id = ''] = await operated.enqueue('mail', [{}]);
  await page.goto(`${operated.url}jobs?job=${id}`);
  await page.getByRole('button', { name: 'Change queue' }).click();
  await expect(page.getByLabel('To the queue')).toBeFocused();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Change priority' }).click();
  await expect(page.getByLabel(/^Priority/)).toBeFocused();
});

test('a paused queue is resumed where a job tells that it waits for that', async ({ page, operated }) => {
  const [id = ''] = await operated.enqueue('mail', [{}]);
  await operated.store.pause('mail', { actor: 'ada' });
  await page.goto(`${operated.url}jobs?job=${id}`);
  const why = page.getByRole('region', { name: 'Why is it not running?' });
  await expect(why).toContainText('Its queue is paused by ada');
  await why.getByRole('button', { name: 'Resume mail' }).click();
  await expect(why).not.toContainText('paused');
  expect((await operated.store.queues())[0]?.paused).toBeUndefined();
});

test('a viewer is told why a paused queue is not theirs to resume', async ({ page, operated }) => {
  operated.role = 'viewer';
  const [id = ''] = await operated.enqueue('mail', [{}]);
  await operated.store.pause('mail', { actor: 'ada' });
  await page.goto(`${operated.url}jobs?job=${id}`);
  await expect(page.getByRole('button', { name: 'Resume mail' })).toHaveAttribute('aria-disabled', 'true');
});

for (const theme of ['light', 'dark'] as const) {
  test(`every state is a badge with a fill: ${theme}`, async ({ page, operated }) => {
    await page.emulateMedia({ colorScheme: theme });
    const [first = '', second = ''] = await operated.enqueue('mail', [{}, {}]);
    const [lease] = await operated.store.claim({ queues: ['mail'], limit: 1, leaseMs: 60_000, worker: 'w' });
    await operated.store.ack([lease!]);
    await operated.store.cancel({ ids: [first, second] }, { actor: 'ada' });
    await page.goto(`${operated.url}jobs`);
    for (const state of ['completed', 'cancelled']) {
      const badge = page.getByRole('cell', { name: state }).locator('span').first();
      expect(await badge.evaluate((shown) => getComputedStyle(shown).backgroundColor)).not.toBe('rgba(0, 0, 0, 0)');
    }
  });
}

async function boxOf(shown: Locator): Promise<{ x: number; y: number; width: number; height: number }> {
  await expect(shown).toBeVisible();
  return (await shown.boundingBox())!;
}

/** Whether the element, or one that it stands in, shows less than all of it. */
function isCut(shown: Locator): Promise<boolean> {
  return shown.evaluate((element) => {
    for (let at: Element | null = element; at !== null && at.tagName !== 'TR'; at = at.parentElement) {
      const { display, webkitLineClamp } = getComputedStyle(at);
      if (display !== 'inline' && at.scrollWidth > at.clientWidth + 1) return true;
      if (webkitLineClamp !== 'none' && at.scrollHeight > at.clientHeight + 1) return true;
    }
    return false;
  });
}
