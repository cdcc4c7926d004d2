import { expect, test } from './mock-fixture.js';

test('all jobs of an error are redriven with six presses from any page, and focus stays with the errors', async ({
  page,
  dashboard,
}) => {
  await page.goto(`${dashboard.url}storage`);
  await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible();
  await page.keyboard.press('g');
  await page.keyboard.press('d');
  const errors = page.getByRole('table', { name: 'Errors' });
  await expect(errors).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('r');
  await expect(page.getByRole('dialog').getByRole('button', { name: /^Redrive [\d,]+ jobs$/ })).toBeVisible();
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('status').filter({ hasText: /^Redriving [\d,]+ jobs$/ })).toBeVisible();
  await expect(errors.getByRole('button', { expanded: false }).first()).toBeFocused();
});

test('the commands find pages, queues and acts, and give focus back', async ({ page, dashboard }) => {
  await page.goto(dashboard.url);
  await expect(page.getByRole('row').filter({ hasText: 'receipts' })).toBeVisible();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('pause rec');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Pause receipts' })).toBeVisible();
  await page.keyboard.type('SMTP is down');
  await page.keyboard.press('Control+Enter');
  await expect(page.getByRole('row').filter({ hasText: 'receipts' })).toContainText('paused');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('stora');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Storage' })).toBeVisible();
});

test('everything on a page can be reached by Tab alone, with its focus in sight', async ({ page, dashboard }) => {
  await page.goto(`${dashboard.url}dead`);
  await expect(page.getByRole('table', { name: 'Errors' })).toBeVisible();
  const seen = new Set<string>();
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const { outlineStyle } = getComputedStyle(element ?? document.body);
      const shown = outlineStyle !== 'none' || element?.closest('label') !== null;
      return { name: element?.getAttribute('aria-label') ?? element?.textContent ?? '', shown, tag: element?.tagName };
    });
    if (focused.tag === 'BODY') break;
    expect(focused.shown, `the focus on ${focused.name} is seen`).toBe(true);
    seen.add(focused.name);
  }
  for (const name of ['Skip to content', 'Commands', 'By job']) expect([...seen]).toContain(name);
  expect([...seen].some((name) => name.startsWith('Redrive all of'))).toBe(true);
});

test('filters by typing tokens, and says what cannot be used', async ({ page, dashboard }) => {
  await page.goto(`${dashboard.url}jobs`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('/');
  await page.keyboard.type('que');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.keyboard.type('exp');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/queue=exports/);
  await page.keyboard.type('attempts:3');
  await expect(page.getByText('should look like attempts:>3')).toBeVisible();
  await page.keyboard.press('Backspace');
  await page.keyboard.type('>3');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/q=attempts/);
  await page.reload();
  await expect(page.getByRole('combobox', { name: 'Filter' })).toHaveValue('queue:exports attempts:>3');
});
