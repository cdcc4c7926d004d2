import { createWorker, type Worker } from '@holdfast/core';
import type { Page } from '@playwright/test';
import { OPERATOR, type OperatedApp } from '../dashboard/operated-app.js';
import { expect, test } from './operated-fixture.js';

const QUEUE = 'receipts';

class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** A worker that cannot send a mail while the mail server is away, and nothing else that it dislikes at all. */
class Postman {
  mailServerIsThere = false;
  readonly #worker: Worker;

  constructor({ store }: OperatedApp) {
    this.#worker = createWorker({ store, queue: QUEUE, name: 'shop-a:4100', handler: (job) => this.#send(job.name) });
  }

  start(): void {
    this.#worker.start();
  }

  stop(): Promise<void> {
    return this.#worker.close();
  }

  #send(name: string): void {
    if (name === 'odd') throw new TypeError('rope is not a colour');
    if (!this.mailServerIsThere) throw new ConnectionError('connect ECONNREFUSED 10.0.4.17:587');
  }
}

test('an operator pauses a queue and reads why, resumes it, redrives all of one error by six keys, and finds it all in the audit', {
  tag: '@postgres',
}, async ({ page, operated }) => {
  const postman = new Postman(operated);
  postman.start();
  const jobs = (count: number, name: string) => Array.from({ length: count }, () => ({ name, maxAttempts: 1 }));
  await operated.enqueue(QUEUE, [...jobs(12, 'send'), ...jobs(3, 'odd')]);
  await expect.poll(() => deadJobs(operated)).toBe(15);

  await test.step('pause with an end and a reason', async () => {
    await page.goto(operated.url);
    await page.getByRole('button', { name: `Pause ${QUEUE}` }).click();
    const dialog = page.getByRole('dialog', { name: `Pause ${QUEUE}` });
    await dialog.getByRole('combobox', { name: 'For how long' }).selectOption('1 hour');
    await dialog.getByRole('textbox', { name: /^Reason/ }).fill('The mail server moves');
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await expect(page.getByRole('row').filter({ hasText: QUEUE })).toContainText('paused');
  });

  const [waiting = ''] = await operated.enqueue(QUEUE, jobs(1, 'send'));
  await test.step('why a job does not run', async () => {
    await page.goto(`${operated.url}jobs?state=ready&job=${waiting}`);
    const panel = page.getByRole('complementary', { name: 'Job' });
    await expect(panel).toContainText('Why is it not running?');
    await expect(panel).toContainText(
      new RegExp(`Its queue is paused by ${OPERATOR} since .+, until .+: The mail server moves`),
    );
  });

  await test.step('resume', async () => {
    postman.mailServerIsThere = true;
    await page.goto(operated.url);
    await page.getByRole('button', { name: `Resume ${QUEUE}` }).click();
    await expect(page.getByRole('row').filter({ hasText: QUEUE })).not.toContainText('paused');
    await expect.poll(async () => (await operated.store.job(waiting))?.state).toBe('completed');
  });

  await test.step('redrive all of an error, by keys, from another page', async () => {
    await page.goto(`${operated.url}storage`);
    await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible();
    await pressFor(page, ['g', 'd'], page.getByRole('table', { name: 'Errors' }).getByText('ConnectionError'));
    await pressFor(page, ['j', 'r'], page.getByRole('dialog').getByRole('button', { name: 'Redrive 12 jobs' }));
    await expect(page.getByRole('dialog')).toContainText('12 can be redriven');
    await pressFor(page, ['Control+Enter'], page.getByText('12 jobs redriven'));
    await expect.poll(() => deadJobs(operated)).toBe(3);
    await expect(page.getByRole('table', { name: 'Errors' })).not.toContainText('ConnectionError');
  });

  await test.step('what was done is on record', async () => {
    await page.goto(`${operated.url}activity`);
    const operation = page.getByRole('table', { name: 'Operations' }).getByRole('row').nth(1);
    await expect(operation).toContainText('12 of 12');
    await expect(operation).toContainText(OPERATOR);
    const audit = page.getByRole('table', { name: 'Audit' });
    const entry = (act: string) => audit.getByRole('row').filter({ has: page.getByText(act, { exact: true }) });
    await expect(entry('Pause')).toContainText('The mail server moves');
    await expect(entry('Pause')).toContainText(OPERATOR);
    await expect(entry('Resume')).toContainText(`queue ${QUEUE}`);
    await expect(audit.getByRole('row').filter({ hasText: /redrive/i })).toContainText(OPERATOR);
  });
  await postman.stop();
});

async function deadJobs({ store }: OperatedApp): Promise<number> {
  return (await store.queues()).find(({ name }) => name === QUEUE)?.counts.dead ?? 0;
}

/** No pointer: only these keys, and then it is there. */
async function pressFor(page: Page, keys: readonly string[], there: ReturnType<Page['getByText']>): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
  await expect(there).toBeVisible();
}
