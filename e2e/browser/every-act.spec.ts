import type { JobState } from '@holdfast/contract';
import { createWorker } from '@holdfast/core';
import type { Page } from '@playwright/test';
import type { OperatedApp } from '../dashboard/operated-app.js';
import { expect, test } from './operated-fixture.js';

/** What can be seen and done over any store: each page with something to show, and each act on one job. */

const QUEUE = 'mail';
const GONE = { class: 'TypeError', message: 'no mailbox' };
/** A worker of a store that cannot tell hears of a cancel a third of it later. */
const LEASE_MS = 3000;

test.describe('a job that is removed while it is open', () => {
  // It is asked for once more.
  test.use({ provoked: [/ 404 /] });

  test('every act on one job is done, and the page of the job says what came of it', { tag: '@postgres' }, async ({
    page,
    operated,
  }) => {
    const [dead = ''] = await operated.bury(QUEUE, [GONE]);
    const [ready = '', later = ''] = await operated.enqueue(QUEUE, [{}, { delayMs: 3_600_000 }]);
    const panel = page.getByRole('complementary', { name: 'Job' });

    await open(page, operated, ready);
    await act(page, 'Change priority', 'Change the priority', async (dialog) => {
      await dialog.getByRole('textbox', { name: /^Priority/ }).fill('7');
    });
    await expect(panel.getByText('Given priority 7')).toBeVisible();
    await act(page, 'Change queue', 'Move this job', async (dialog) => {
      await dialog.getByRole('combobox', { name: 'To the queue' }).fill('mail-slow');
    });
    await expect(panel).toContainText('mail-slow');
    await act(page, 'Cancel', 'Cancel this job');
    await becomes(operated, ready, 'cancelled');
    await expect(panel).toContainText('by an operator');
    await act(page, 'Remove', 'Remove this job');
    await expect.poll(() => operated.store.job(ready)).toBeUndefined();

    await open(page, operated, later);
    await act(page, 'Run now', 'Run this job now');
    await becomes(operated, later, 'ready');
    await panel.getByRole('button', { name: 'Clone' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Payload' }).fill('{"again":true}');
    await page.getByRole('dialog').getByRole('button', { name: 'Enqueue the copy' }).click();
    await expect(page.getByText(/^Enqueued as job/)).toBeVisible();

    await open(page, operated, dead);
    await expect(panel).toContainText('no mailbox');
    await act(page, 'Redrive', 'Redrive this job');
    await becomes(operated, dead, 'ready');

    await page.goto(operated.url);
    await page.getByRole('button', { name: `Drain ${QUEUE}:` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Drain 3 jobs' }).click();
    await expect(page.getByText('3 jobs cancelled')).toBeVisible();
    await becomes(operated, dead, 'cancelled');
  });
});

test('the cancel of a running job is told step by step, until its handler has ended', { tag: '@postgres' }, async ({
  page,
  operated,
}) => {
  let goOn = () => {};
  const deaf = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const worker = createWorker({
    ...{ store: operated.store, queue: QUEUE, name: 'shop-a:4100', leaseMs: LEASE_MS },
    handler: () => deaf,
  });
  worker.start();
  const [id = ''] = await operated.enqueue(QUEUE, [{}]);
  await becomes(operated, id, 'leased');
  await open(page, operated, id);
  await act(page, 'Cancel', 'Cancel this job');
  const steps = page.getByRole('list', { name: 'The cancel, step by step' });
  await expect(steps).toContainText('Cancel asked for');
  await expect(steps).toContainText('Handler told');
  await expect(steps).toContainText('Handler still works');
  goOn();
  await expect(steps).toContainText('Handler returned; what it answered is not kept');
  expect((await operated.store.job(id))?.state).toBe('cancelled');
  await worker.close();
});

test('every page has something to show', { tag: '@postgres' }, async ({ page, operated }) => {
  await operated.bury(QUEUE, [GONE]);
  await operated.enqueue(QUEUE, [{}, {}]);
  const [leased] = await operated.lease(QUEUE, 1, 'shop-a:4100');
  await operated.store.pause('quiet', { actor: 'ada', reason: 'too loud' });
  const shows = async (path: string, ...texts: readonly string[]) => {
    await page.goto(`${operated.url}${path}`);
    for (const text of texts) await expect(page.locator('main')).toContainText(text);
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expect(page.getByRole('alert')).toHaveCount(0);
  };
  await shows('', 'New error', 'TypeError: no mailbox', '1 dead job in mail', 'quiet is paused by ada: too loud');
  await shows('jobs', leased?.id ?? '', '1–3 of 3');
  await shows('dead', 'TypeError', 'no mailbox');
  await shows('leases', 'shop-a:4100', leased?.id ?? '');
  await shows('storage', operated.store.capabilities.kind === 'log' ? 'Segments' : 'PostgreSQL');
  await shows('activity', 'No');
});

async function open(page: Page, operated: OperatedApp, id: string): Promise<void> {
  await page.goto(`${operated.url}jobs?job=${id}`);
  await expect(page.getByRole('complementary', { name: 'Job' })).toContainText(id);
}

/** Presses the button of the open job, fills in what its dialog asks for, and confirms. */
async function act(
  page: Page,
  verb: string,
  title: string,
  fill: (dialog: ReturnType<Page['getByRole']>) => Promise<void> = async () => {},
): Promise<void> {
  const panel = page.getByRole('complementary', { name: 'Job' });
  await panel.getByRole('button', { name: verb, exact: true }).click();
  const dialog = page.getByRole('dialog', { name: new RegExp(`^${title}`) });
  await fill(dialog);
  await dialog.getByRole('button', { name: verb, exact: true }).click();
  await expect(dialog).toHaveCount(0);
}

async function becomes({ store }: OperatedApp, id: string, state: JobState): Promise<void> {
  await expect.poll(async () => (await store.job(id))?.state).toBe(state);
}
