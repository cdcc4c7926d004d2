import type { JobError } from '@holdfast/contract';
import type { OperatedApp } from '../dashboard/operated-app.js';
import { COUNTED_IN_PART, expect, test } from './operated-fixture.js';

/** What users of other dashboards reported about acts, each as a test of its whole kind. The others: reported-*.spec.ts. */

const TIMEOUT: JobError = { class: 'TimeoutError', message: 'no answer within 2,000 ms' };
const CONNECTION: JobError = { class: 'ConnectionError', message: 'connect ECONNREFUSED 10.0.4.17:587' };
/** What a selection can be made to do. */
const ACTS = /^(Redrive|Run now|Change priority|Change queue|Cancel|Remove)/;

test('1: a bulk act changes exactly the jobs that its plan counted: none of another filter, none that came later', {
  tag: '@postgres',
}, async ({ page, operated }) => {
  await operated.bury('mail', [TIMEOUT, TIMEOUT, TIMEOUT, ...Array.from({ length: 7 }, () => CONNECTION)]);
  await page.goto(`${operated.url}jobs?state=dead&q=class%3ATimeoutError`);
  await page.getByRole('checkbox', { name: 'Select all jobs of this page' }).check();
  await page.getByRole('button', { name: 'Redrive 3 jobs' }).click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Redrive 3 jobs' });
  await expect(confirm).toBeVisible();
  await page.keyboard.press('Escape');

  await page.goto(`${operated.url}dead`);
  await page.getByRole('button', { name: /^Redrive all of TimeoutError/ }).click();
  await expect(confirm).toBeVisible();
  // The plan is made; two more die of the same.
  await operated.bury('mail', [TIMEOUT, TIMEOUT]);
  await confirm.click();
  await expect(page.getByText('3 jobs redriven')).toBeVisible();
  expect(await states(operated, 'mail')).toMatchObject({ ready: 3, dead: 9 });
});

test('2: nothing is removed without a dialog that says how many and where, it can be undone, and who looks late is told so', async ({
  page,
  operated,
}) => {
  await operated.bury('mail', [TIMEOUT, TIMEOUT, TIMEOUT, TIMEOUT]);
  await page.goto(`${operated.url}jobs?state=dead`);
  await expect(page.getByText('staging', { exact: true })).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all jobs of this page' }).check();
  await page.getByRole('button', { name: /^Remove/ }).click();
  const dialog = page.getByRole('dialog');
  const confirm = dialog.getByRole('button', { name: 'Remove 4 jobs' });
  await expect(confirm).toHaveAttribute('aria-disabled', 'true');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Only a test');
  await confirm.click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone: nothing was changed')).toBeVisible();
  expect(await states(operated, 'mail')).toMatchObject({ dead: 4 });
});

test.describe('a job that changed since it was looked at', () => {
  test.use({ provoked: [/409/] });

  test('2: is not acted on, and the dialog says what it has become', async ({ page, operated }) => {
    const [id = ''] = await operated.enqueue('mail', [{}]);
    await page.goto(`${operated.url}jobs?job=${id}`);
    const panel = page.getByRole('complementary', { name: 'Job' });
    await panel.getByRole('button', { name: 'Change priority' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: /^Priority/ }).fill('7');
    const [leased] = await operated.lease('mail', 1);
    await operated.store.ack([{ id, token: leased?.token ?? '' }]);
    await dialog.getByRole('button', { name: 'Change priority' }).click();
    await expect(dialog).toContainText('JOB_STATE');
    await expect(dialog).toContainText('completed');
    await page.keyboard.press('Escape');
    await expect(panel).toContainText('completed');
  });
});

test('3: of 20,001 jobs the number that is shown is the number that is done: no silent bound', async ({
  page,
  operated,
  storeKind,
}) => {
  test.skip(storeKind === 'postgres', COUNTED_IN_PART);
  const count = 20_001;
  await operated.enqueue(
    'mail',
    Array.from({ length: count }, () => ({ delayMs: 3_600_000 })),
  );
  await page.goto(`${operated.url}jobs?state=scheduled`);
  await page.getByRole('button', { name: 'Select all 20,001 that match' }).click();
  await page.getByRole('button', { name: 'Run now 20,001 jobs' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Jobs a second/ }).fill('10000');
  await dialog.getByRole('button', { name: 'Run 20,001 jobs now' }).click();
  await expect(page.getByText('20,001 jobs made ready')).toBeVisible();
  expect(await states(operated, 'mail')).toMatchObject({ ready: count, scheduled: 0 });
  await page.goto(`${operated.url}activity`);
  await expect(page.getByRole('table', { name: 'Operations' })).toContainText('20,001 of 20,001');
});

test('14: a list says how many there are, an act for how many it fits, and nothing can be done with nothing selected', async ({
  page,
  operated,
}) => {
  await operated.enqueue(
    'mail',
    Array.from({ length: 57 }, (_, number) => ({ payload: JSON.stringify({ vip: number < 2 }) })),
  );
  await operated.lease('mail', 3);
  await page.goto(`${operated.url}jobs?queue=mail`);
  await expect(page.getByText('1–50 of 57', { exact: true })).toBeVisible();
  const acts = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: ACTS });
  await expect(acts).toHaveCount(0);
  await page.keyboard.press('#');
  await expect(page.getByText('Select jobs first.')).toBeVisible();

  await page.getByRole('button', { name: 'Select all 57 that match' }).click();
  await acts.last().click();
  await expect(page.getByRole('dialog')).toContainText('54 can be removed');
  await expect(page.getByRole('dialog')).toContainText('3 cannot: 3 leased');
  await page.keyboard.press('Escape');

  await page.goto(`${operated.url}jobs?q=payload.vip%3Atrue`);
  await expect(page.getByText('2 jobs found; looked at all that are left (57)')).toBeVisible();
  const refused = await page.request.post(`${operated.url}api/v1/bulk/plans`, {
    headers: { 'X-Holdfast-Request': '1', Origin: new URL(operated.url).origin },
    data: { act: { kind: 'remove' }, selection: { ids: [] } },
  });
  expect(refused.status()).toBe(400);
});

async function states({ store }: OperatedApp, queue: string) {
  return (await store.queues()).find(({ name }) => name === queue)?.counts;
}
