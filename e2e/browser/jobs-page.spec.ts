import { expect, test } from './mock-fixture.js';
import { test as operatedTest } from './operated-fixture.js';

test('columns and views are those that somebody chose, also after a reload, and a view is an address', async ({
  page,
  dashboard,
}) => {
  await page.goto(`${dashboard.url}jobs?state=dead&q=class%3ATimeoutError`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Payload' }).check();
  await page.getByRole('checkbox', { name: 'Queue', exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('columnheader', { name: 'Payload' })).toBeVisible();
  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('textbox', { name: 'Save this view as' }).fill('Timeouts');
  await page.keyboard.press('Enter');

  await page.goto(`${dashboard.url}jobs`);
  await expect(page.getByRole('columnheader', { name: 'Payload' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'Queue' })).toHaveCount(0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('timeouts');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/jobs\?state=dead&q=class%3ATimeoutError$/);
  await expect(page.getByRole('button', { name: 'Timeouts' })).toBeVisible();
});

operatedTest('over jobs of all states no act is promised to all that are selected', async ({ page, operated }) => {
  await operated.enqueue('mail', [{}, {}]);
  await operated.bury('mail', [{ class: 'Error', message: 'no', stack: '' }]);
  const selectAll = page.getByRole('checkbox', { name: 'Select all jobs of this page' });
  await page.goto(`${operated.url}jobs`);
  await selectAll.check();
  await expect(page.getByRole('button', { name: 'Redrive', exact: true })).toBeVisible();
  await page.goto(`${operated.url}jobs?state=dead`);
  await selectAll.check();
  await expect(page.getByRole('button', { name: 'Redrive 1 job' })).toBeVisible();
});

operatedTest(
  'selected jobs, and an open one, go to another queue, which is named before they are counted',
  { tag: '@postgres' },
  async ({ page, operated }) => {
    const [, , , last = ''] = await operated.enqueue('mail', [{}, {}, { delayMs: 3_600_000 }, {}]);
    await operated.lease('mail', 1);
    await page.goto(`${operated.url}jobs?queue=mail`);
    await page.getByRole('checkbox', { name: 'Select all jobs of this page' }).check();
    await page.getByRole('button', { name: 'Change queue' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'To the queue' }).fill('mail-slow');
    await expect(dialog).toContainText('There is no such queue yet');
    await page.keyboard.press('Enter');
    await expect(dialog).toContainText('1 cannot: 1 leased');
    await dialog.getByRole('button', { name: 'Move 3 jobs to mail-slow' }).click();
    await expect(page.getByText('3 jobs moved to another queue')).toBeVisible();

    await page.goto(`${operated.url}jobs?job=${last}`);
    await page.getByRole('complementary', { name: 'Job' }).getByRole('button', { name: 'Change queue' }).click();
    await dialog.getByRole('combobox', { name: 'To the queue' }).fill('mail');
    await dialog.getByRole('button', { name: 'Change queue' }).click();
    await expect(page.getByText('1 job moved to another queue')).toBeVisible();
    const queues = new Map((await operated.store.queues()).map(({ name, counts }) => [name, counts]));
    expect(queues.get('mail')).toMatchObject({ ready: 1, leased: 1 });
    expect(queues.get('mail-slow')).toMatchObject({ ready: 1, scheduled: 1 });

    await page.goto(`${operated.url}activity`);
    const audit = page.getByRole('table', { name: 'Audit' });
    await expect(audit).toContainText('to mail-slow');
    await expect(audit).toContainText(last);
  },
);
