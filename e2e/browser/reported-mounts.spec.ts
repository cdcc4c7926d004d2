import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Wire, type WireOptions } from '../dashboard/wire.js';
import { closePages } from './fixture.js';
import { expect, test as operatedTest } from './operated-fixture.js';

/** What users of other dashboards reported about where they are mounted, by whom they may be seen, and what policies they bear. */

const PAGES = ['', 'jobs?state=dead', 'dead', 'leases', 'storage', 'activity'];

/** What helmet 8 sends where nobody has told it more. */
const HELMET = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' https: data:",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' https: 'unsafe-inline'",
].join(';');
/** Beside it, what no text may pass on its way to become markup. */
const TRUSTED_TYPES = "require-trusted-types-for 'script'";

const test = operatedTest.extend<{ readonly wireOptions: WireOptions; readonly wire: Wire }>({
  wireOptions: [{}, { option: true }],

  wire: async ({ context, operated, wireOptions }, use) => {
    const wire = await Wire.start(operated.url, wireOptions);
    await use(wire);
    await closePages(context);
    await wire.stop();
  },
});

const MOUNTS = [
  { name: 'as it is', operatedOptions: {}, wireOptions: {} },
  { name: 'under a prefix of the application', operatedOptions: { globalPrefix: 'ops/v2' }, wireOptions: {} },
  {
    name: 'behind a proxy that takes a prefix away',
    operatedOptions: {},
    wireOptions: { path: '/company/ops/admin/queues/' },
  },
];

for (const { name, operatedOptions, wireOptions } of MOUNTS) {
  test.describe(name, () => {
    test.use({ operatedOptions, wireOptions });

    test('7: every page, deep link, reload, file, act and event is found', async ({ page, operated, wire }) => {
      const [id = ''] = await operated.bury('mail', [{ class: 'Error', message: 'gone' }]);
      await page.goto(`${wire.url}jobs?state=dead&job=${id}`);
      await page.reload();
      await expect(page.getByRole('complementary', { name: 'Job' })).toContainText('gone');
      for (const link of ['Overview', 'Jobs', 'Leases', 'Storage', 'Activity', /^Dead letters/]) {
        await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: link }).click();
        await expect(page.getByRole('heading', { level: 1, name: link })).toBeVisible();
        expect(page.url().startsWith(wire.url)).toBe(true);
      }
      await expect.poll(() => wire.streams).toBe(1);
      await page.getByRole('button', { name: /^Redrive all of/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Redrive 1 job' }).click();
      await expect(page.getByText('1 job redriven')).toBeVisible();
      expect(wire.asked.filter((path) => !path.startsWith(new URL(wire.url).pathname))).toEqual([]);
    });
  });
}

test.describe("under helmet's policy and one of trusted types, beside its own", () => {
  test.use({ wireOptions: { headers: { 'content-security-policy': `${HELMET};${TRUSTED_TYPES}` } } });

  // What the browser refuses fails every test; here it may refuse more.
  test('8: every page shows all that it has', async ({ page, operated, wire }) => {
    await operated.bury('mail', [{ class: 'Error', message: 'gone' }]);
    for (const path of PAGES) {
      await page.goto(`${wire.url}${path}`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(page.getByText(/^Loading/)).toHaveCount(0);
    }
    await page.goto(`${wire.url}dead`);
    await page.getByRole('button', { name: /^Redrive all of/ }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
  });
});

test.describe('without authorize', () => {
  test.use({ operatedOptions: { closed: true }, provoked: [/ 403 /] });

  test('9: page, files, API and events are closed, and the page says what to add', async ({ page, operated }) => {
    await page.goto(operated.url);
    await expect(page.getByText('authorize').first()).toBeVisible();
    for (const path of ['jobs', 'theme.js', 'favicon.svg', 'api/v1/meta', 'api/v1/jobs', 'api/v1/events']) {
      const { status } = await fetch(`${operated.url}${path}`);
      expect(status, path).toBe(403);
    }
  });
});

test.describe('a viewer', () => {
  test.use({ provoked: [/ 403 /] });

  test('9: is told why acts do nothing, and can change nothing by a request of their own', async ({
    page,
    operated,
  }) => {
    const [id = ''] = await operated.bury('mail', [{ class: 'Error', message: 'gone' }]);
    operated.role = 'viewer';
    await page.goto(`${operated.url}dead`);
    const redrive = page.getByRole('button', { name: /^Redrive all of/ }).first();
    await expect(redrive).toHaveAttribute('aria-disabled', 'true');
    // Playwright waits for what is disabled; a person does not.
    await redrive.click({ force: true });
    await expect(page.getByRole('dialog')).toHaveCount(0);
    // The note goes with a press; it is back for whoever comes to the button again.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await expect(redrive).toBeFocused();
    await expect(page.getByRole('tooltip')).toContainText('yours is viewer');

    const statuses = await page.evaluate(
      async ([base, job]) => {
        const post = async (path: string, body: unknown) => {
          const headers = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1' };
          return (await fetch(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
        };
        return [
          await post('redrives', { ids: [job] }),
          await post(`jobs/${job}/acts/redrive`, {}),
          await post(`jobs/${job}/acts/remove`, {}),
          await post('queues/pause', { queue: 'mail' }),
        ];
      },
      [`${operated.url}api/v1/`, id] as const,
    );
    expect(statuses).toEqual([403, 403, 403, 403]);
    expect((await operated.store.job(id))?.state).toBe('dead');
  });
});

test.describe('a page of another origin', () => {
  test.use({ provoked: [/ 403 | 415 |CORS|net::ERR_/] });

  test('9: changes nothing, by a form or by a request', async ({ page, operated }) => {
    const [id = ''] = await operated.bury('mail', [{ class: 'Error', message: 'gone' }]);
    const body = JSON.stringify({ ids: [id] });
    const other = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end(
        `<form method="post" enctype="text/plain" action="${operated.url}api/v1/redrives"><input name="a"></form>`,
      );
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    await page.evaluate(
      async ([url, text]) => {
        const json = { 'Content-Type': 'application/json', 'X-Holdfast-Request': '1' };
        await fetch(url, { method: 'POST', mode: 'no-cors', body: text }).catch(() => undefined);
        await fetch(url, { method: 'POST', headers: json, body: text }).catch(() => undefined);
      },
      [`${operated.url}api/v1/redrives`, body] as const,
    );
    await page.evaluate(() => document.forms[0]?.submit());
    await expect(page.getByText('NOT_JSON').or(page.getByText('CROSS_SITE_REQUEST')).first()).toBeVisible();
    expect((await operated.store.job(id))?.state).toBe('dead');
    other.closeAllConnections();
    other.close();
  });
});
