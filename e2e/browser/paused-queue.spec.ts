import { expect, test } from './mock-fixture.js';

for (const [width, height] of [
  [1440, 900],
  [1366, 768],
  [390, 844],
] as const) {
  test(`a paused queue is called by its whole name beside its badge, ${width} pixels wide`, async ({
    page,
    dashboard,
  }) => {
    await page.setViewportSize({ width, height });
    await page.goto(dashboard.url);
    const name = page.getByRole('rowheader', { name: 'exports' }).getByRole('link');
    await expect(name).toBeVisible();
    const cut = await name.evaluate((link) => link.scrollWidth - link.clientWidth);
    expect(cut).toBe(0);
    const heads = page.getByRole('columnheader');
    const cutHeads = await heads.evaluateAll((all) =>
      all.filter((head) => head.clientWidth > 0 && head.scrollWidth > head.clientWidth).map((head) => head.textContent),
    );
    expect(cutHeads).toEqual([]);
  });
}
