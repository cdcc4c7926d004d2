import type { JobError } from '@holdfast/contract';
import type { Page } from '@playwright/test';
import { expect, test } from './operated-fixture.js';

/** What users of other dashboards reported about what is shown: numbers, large payloads, hostile texts, awkward names, groups of errors. */

/** Characters that turn, hide or ring. */
const HIDING = ['\u202e', '\u2066', '\u200b', '\u0007'];
const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '</script><script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  'javascript:alert(1)',
  `evil\u202egpj.exe\u2066 \u200b\u0007`,
];
const AWKWARD_QUEUE = 'évil/queue ?#%+..:\u202e 漢 <b>';
const NUMBERS = '{"id":1970670598291982290,"id":"twice","huge":1e400,"nought":-0,"price":1.10}';

test('4: numbers keep the characters that they were sent with: shown, copied and cloned', async ({
  page,
  context,
  operated,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const [id = ''] = await operated.enqueue('mail', [{ payload: NUMBERS }]);
  await page.goto(`${operated.url}jobs?job=${id}`);
  const panel = page.getByRole('complementary', { name: 'Job' });
  for (const literal of ['1970670598291982290', '1e400', '-0', '1.10']) {
    await expect(panel.getByText(literal, { exact: true })).toBeVisible();
  }
  await expect(panel.getByText('"id"', { exact: true })).toHaveCount(2);
  await panel.getByRole('button', { name: 'Copy', exact: true }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(NUMBERS);

  await panel.getByRole('button', { name: /^Clone/ }).click();
  const payload = page.getByRole('dialog').getByRole('textbox', { name: 'Payload' });
  await payload.fill(NUMBERS.replace('1.10', '1.20'));
  await page.getByRole('dialog').getByRole('button', { name: 'Enqueue the copy' }).click();
  await expect(page.getByText(/^Enqueued as job/)).toBeVisible();
  const { rows } = await operated.store.browse({ queue: 'mail' }, { limit: 2 });
  const copy = await operated.store.job(rows.find((row) => row.id !== id)?.id ?? '');
  expect(copy?.payload).toBe(NUMBERS.replace('1.10', '1.20'));
});

test('5: lists stay small however large payloads are, and the largest opens in part, with the whole as a file', async ({
  page,
  operated,
}) => {
  const { payloadBytesMax } = operated.store.capabilities;
  const payload = JSON.stringify({ text: 'x'.repeat(payloadBytesMax - 20) });
  const [id = ''] = await operated.enqueue('mail', [{ payload }, { payload }, { payload }, { payload }]);
  const listed = page.waitForResponse((response) => /api\/v1\/jobs\?/.test(response.url()));
  await page.goto(`${operated.url}jobs`);
  expect((await (await listed).body()).length).toBeLessThan(4_000);

  await noteLongTasks(page);
  await page.getByRole('link', { name: id }).click();
  const panel = page.getByRole('complementary', { name: 'Job' });
  await expect(panel).toContainText('The first 65.5 kB of 1.05 MB, as they were sent.');
  expect(((await panel.textContent()) ?? '').length).toBeLessThan(70_000);
  expect(await panel.locator('*').count()).toBeLessThan(400);
  test.info().annotations.push({ type: 'long tasks, ms', description: JSON.stringify(await longTasks(page)) });
  // The page still answers: another job opens beside the list.
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);

  await page.getByRole('link', { name: id }).click();
  const download = page.waitForEvent('download');
  await panel.getByRole('link', { name: 'Download' }).click();
  const whole = await (await download).createReadStream();
  let bytes = 0;
  for await (const chunk of whole) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(payload.length);
});

/** As large as a store takes. */
const LARGEST: readonly { readonly shape: string; readonly payload: (bytesMax: number) => string }[] = [
  { shape: 'a long list', payload: (max) => payloadOf(`[${'{"n":1,"tags":["a","b"]},'.repeat(max / 25 - 10)}0]`) },
  // No deeper than 200 levels: what is below them is not shown, lest a secret is.
  {
    shape: 'deeply nested',
    payload: (max) => payloadOf(`[${`${'['.repeat(190)}1${']'.repeat(190)},`.repeat(max / 382 - 10)}0]`),
  },
  { shape: 'a long text', payload: (max) => payloadOf(`"${'x'.repeat(max - 100)}"`) },
];
/** As large as is shown whole, and made of as many lines as fit. */
const SHOWN_WHOLE: readonly { readonly shape: string; readonly payload: string }[] = [
  { shape: 'lists in lists', payload: payloadOf(`[${`[${'[1,2],'.repeat(80)}3],`.repeat(120)}4]`) },
  { shape: 'a list of objects', payload: payloadOf(`[${'{"sku":"a","price":1.10},'.repeat(2500)}0]`) },
  { shape: 'as deep as a tree goes', payload: payloadOf(`${'[1,'.repeat(98)}2${']'.repeat(98)}`) },
];
/** Elements of an open job with its payload: what a browser lays out in a few milliseconds. */
const ELEMENTS_MAX = 5_000;

function payloadOf(value: string): string {
  return `{"order":4711,"value":${value}}`;
}

for (const { shape, payload } of LARGEST) {
  test(`5: the largest payload opens in part, is found by what is in it, and leaves the page usable: ${shape}`, async ({
    page,
    operated,
  }) => {
    const whole = payload(operated.store.capabilities.payloadBytesMax);
    const [id = '', other = ''] = await operated.enqueue('mail', [{ payload: whole }, { payload: '{"order":1}' }]);
    await page.goto(`${operated.url}jobs?q=payload.order%3A4711`);
    await expect(page.getByRole('link', { name: id })).toBeVisible();
    await expect(page.getByRole('link', { name: other })).toHaveCount(0);
    const answered = page.waitForResponse((response) => response.url().endsWith(`/jobs/${id}`));
    await page.getByRole('link', { name: id }).click();
    expect((await (await answered).body()).length).toBeLessThan(140_000);
    const panel = page.getByRole('complementary', { name: 'Job' });
    await expect(panel).toContainText('The first 65.5 kB of');
    expect(await panel.locator('*').count()).toBeLessThan(ELEMENTS_MAX);
    await page.keyboard.press('Escape');
    await expect(panel).toHaveCount(0);
    const response = await page.request.get(`${operated.url}api/v1/jobs/${id}/payload`);
    expect(await response.text()).toBe(whole);
  });
}

for (const { shape, payload } of SHOWN_WHOLE) {
  test(`5: a payload of many lines opens with some of them, and the rest on demand: ${shape}`, async ({
    page,
    operated,
  }) => {
    const [id = ''] = await operated.enqueue('mail', [{ payload }]);
    await page.goto(`${operated.url}jobs?job=${id}`);
    const panel = page.getByRole('complementary', { name: 'Job' });
    await expect(panel.getByText('4711', { exact: true })).toBeVisible();
    const shown = await panel.locator('*').count();
    expect(shown).toBeLessThan(ELEMENTS_MAX);
    const more = panel.getByRole('button', { name: /^(Unfold|Show more)/ });
    await more.last().click();
    await expect.poll(() => panel.locator('*').count()).toBeGreaterThan(shown);
    await panel.getByRole('button', { name: 'Raw' }).click();
    await expect(panel.getByRole('region', { name: 'Payload' })).toHaveText(payload);
  });
}

test('10: text from outside is never markup and never hides, wherever it is shown', async ({ page, operated }) => {
  const raised: string[] = [];
  page.on('dialog', (dialog) => {
    raised.push(dialog.message());
    void dialog.dismiss();
  });
  const ids: string[] = [];
  for (const text of HOSTILE) {
    const error: JobError = {
      class: text,
      message: text,
      stack: `${text}\n    at ${text} (/srv/app/dist/${text}.js:1:1)`,
    };
    const job = { name: text, payload: JSON.stringify({ [text]: text }), headers: { [text]: text } };
    ids.push(...(await operated.bury(text, [error], job)));
    await operated.enqueue(text, [job]);
    await operated.lease(text, 1, text);
    await operated.enqueue(text, [{ ...job, dedupe: { key: text } }]);
    await operated.store.pause(text, { actor: text, reason: text });
  }
  const pages = [
    '',
    'jobs',
    'dead',
    'dead?view=jobs',
    'leases',
    'activity',
    `jobs?q=${encodeURIComponent(HOSTILE[0] ?? '')}`,
  ];
  for (const path of [...pages, ...ids.map((id) => `jobs?job=${id}`)]) {
    await page.goto(`${operated.url}${path}`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.getByText(/^Loading/)).toHaveCount(0);
    await expectHarmless(page, path);
  }
  await page
    .getByRole('button', { name: /^Redrive/ })
    .last()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await expectHarmless(page, 'a dialog');
  expect(raised).toEqual([]);
});

test('11: a queue whose name has every awkward character lists, filters, opens and acts', async ({
  page,
  operated,
}) => {
  await operated.enqueue(AWKWARD_QUEUE, [{ name: AWKWARD_QUEUE }, { name: 'send' }]);
  await operated.enqueue('mail', [{}]);
  await page.goto(operated.url);
  const row = page.getByRole('row').filter({ hasText: 'évil/queue' });
  await row.getByRole('button', { name: /^Pause/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
  await expect(row).toContainText('paused');
  expect((await operated.store.queues()).find(({ name }) => name === AWKWARD_QUEUE)?.paused).toBeDefined();
  await row.getByRole('button', { name: /^Resume/ }).click();
  await expect(row).not.toContainText('paused');

  await row.getByRole('rowheader').getByRole('link').click();
  await expect(page.getByRole('combobox', { name: 'Filter' })).toHaveValue(/^queue:"évil\/queue/);
  await expect(page.getByText('1–2 of 2', { exact: true })).toBeVisible();
  await page.reload();
  await page.getByRole('row').nth(1).getByRole('link').first().click();
  await expect(page.getByRole('complementary', { name: 'Job' })).toContainText('évil/queue');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Filter' }).fill(`name:"${AWKWARD_QUEUE}" `);
  await page.keyboard.press('Enter');
  await expect(page.getByText('1–1 of 1', { exact: true })).toBeVisible();
});

test('15: errors of one cause are one group, unrelated ones are not, and one without a message has a place', async ({
  page,
  operated,
}) => {
  const stack = (place: string) => `Error\n    at ${place} (/srv/app/dist/mail/${place}.js:88:15)`;
  await operated.bury('mail', [
    { class: 'ConnectionError', message: 'connect ECONNREFUSED 10.0.4.17:587' },
    { class: 'ConnectionError', message: 'connect ECONNREFUSED 10.0.9.1:25' },
    { class: 'ConnectionError', message: 'the certificate has expired' },
    { class: 'PerformError', message: 'job 17 failed after 20 ms', stack: stack('resize') },
    { class: 'PerformError', message: 'job 4711 failed after 3 ms', stack: stack('resize') },
    { class: 'PerformError', message: 'job 18 failed after 20 ms', stack: stack('render') },
    { class: 'Error', message: '', stack: stack('open') },
    { class: 'Error', message: '', stack: stack('close') },
    { class: 'string', message: 'thrown as it is' },
  ]);
  await page.goto(`${operated.url}dead`);
  const rows = page
    .getByRole('table', { name: 'Errors' })
    .getByRole('row')
    .filter({ has: page.getByRole('button') });
  await expect(rows).toHaveCount(7);
  await expect(rows.filter({ hasText: 'connect ECONNREFUSED <ip>' })).toContainText('2');
  await expect(rows.filter({ hasText: 'job <number> failed' }).filter({ hasText: 'resize' })).toContainText('2');
  await expect(rows.filter({ hasText: '(no message)' })).toHaveCount(2);
  await rows.filter({ hasText: 'certificate' }).getByRole('button').first().click();
  await page.getByRole('link', { name: 'Open 1 job' }).click();
  await expect(page.getByText(/^1 job found/)).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toContainText('certificate');
});

async function expectHarmless(page: Page, where: string): Promise<void> {
  expect(await page.locator('#root img, #root script, #root iframe, body > img').count(), where).toBe(0);
  const shown = (await page.locator('#root').textContent()) ?? '';
  expect(
    HIDING.filter((character) => shown.includes(character)),
    where,
  ).toEqual([]);
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(wider, `${where} is wider than its window`).toBeLessThanOrEqual(0);
}

async function noteLongTasks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted: number[] = [];
    Object.assign(window, { longTasks: noted });
    new PerformanceObserver((list) => noted.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
}

function longTasks(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as Window & { longTasks?: number[] }).longTasks ?? []);
}
