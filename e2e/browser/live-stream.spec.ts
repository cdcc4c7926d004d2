import type { Page } from '@playwright/test';
import { Wire } from '../dashboard/wire.js';
import { closePages } from './fixture.js';
import { expect, test as operatedTest } from './operated-fixture.js';

const TABS = 7;
const QUEUE = 'receipts';

const test = operatedTest.extend<{ readonly wire: Wire }>({
  wire: async ({ context, operated }, use) => {
    const wire = await Wire.start(operated.url);
    await use(wire);
    await closePages(context);
    await wire.stop();
  },
});

test('seven tabs of a browser hold one stream, all of them hear, and another one reads when that tab is closed', async ({
  context,
  operated,
  wire,
}) => {
  await operated.enqueue(QUEUE, [{}]);
  const tabs: Page[] = [];
  for (let number = 0; number < TABS; number++) {
    const tab = await context.newPage();
    await tab.goto(wire.url);
    await expect(readyJobs(tab)).toHaveText('1');
    tabs.push(tab);
  }
  await expect.poll(() => wire.hellos.length).toBe(1);
  expect(wire.streams).toBe(1);

  await operated.enqueue(QUEUE, [{}, {}]);
  for (const tab of tabs) await expect(readyJobs(tab)).toHaveText('3');

  // The first one holds the lock.
  await tabs.shift()?.close();
  await expect.poll(() => wire.hellos.length).toBe(2);
  await operated.enqueue(QUEUE, [{}]);
  for (const tab of tabs) await expect(readyJobs(tab)).toHaveText('4');
  expect(wire.streams).toBe(1);
});

test.describe('a wire that is cut', () => {
  test.use({ provoked: [/net::ERR_|Failed to load resource/] });

  test('is told as stale data, and mended it brings what was missed', async ({ page, operated, wire }) => {
    await operated.enqueue(QUEUE, [{}]);
    await page.clock.install();
    await page.goto(wire.url);
    await expect(readyJobs(page)).toHaveText('1');
    await expect.poll(() => wire.hellos.length).toBe(1);
    // An event, so that there is one after which the stream can be resumed.
    await operated.enqueue(QUEUE, [{}]);
    await expect(readyJobs(page)).toHaveText('2');

    wire.cut();
    await page.clock.fastForward(12_000);
    await expect(page.getByText(/^Stale since/)).toBeVisible();
    await operated.enqueue(QUEUE, [{}, {}, {}]);

    wire.mend();
    await expect(readyJobs(page)).toHaveText('5');
    await expect(page.getByText(/^Live ·/)).toBeVisible();
    await expect.poll(() => wire.hellos.length).toBe(2);
    expect(wire.lastEventIds.at(-1)).toMatch(/^[0-9a-f]+-\d+$/);
    expect(wire.hellos.at(-1)).toContain('"resumed":true');
  });

  test('is told in words where nothing was shown before', async ({ page, wire }) => {
    await page.goto(wire.url);
    await expect(page.getByText('No queue yet')).toBeVisible();
    wire.cut();
    await page.getByRole('link', { name: 'Leases' }).click();
    await expect(page.getByRole('alert').first()).toContainText('The server did not answer');
    wire.mend();
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await expect(page.getByText('No job is leased')).toBeVisible();
  });
});

test('paused means that nothing moves, whatever the server tells', async ({ page, operated, wire }) => {
  await operated.enqueue(QUEUE, [{}]);
  await page.goto(wire.url);
  await expect(readyJobs(page)).toHaveText('1');
  await page.keyboard.press('.');
  await expect(page.getByText(/^Paused ·/)).toBeVisible();
  await expect.poll(() => wire.hellos.length).toBe(1);
  await operated.enqueue(QUEUE, [{}]);
  const other = await page.context().newPage();
  await other.goto(wire.url);
  await expect(readyJobs(other)).toHaveText('2');
  await operated.enqueue(QUEUE, [{}]);
  // It came by the stream, which the first page reads for both.
  await expect(readyJobs(other)).toHaveText('3');
  await expect(readyJobs(page)).toHaveText('1');
  await page.keyboard.press('.');
  await expect(readyJobs(page)).toHaveText('3');
});

/** In the row of the queue, the cell of those that are ready. */
function readyJobs(page: Page) {
  return page.getByRole('row').filter({ hasText: QUEUE }).getByRole('cell').first();
}
