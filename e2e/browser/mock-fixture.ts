import { expect as baseExpect } from '@playwright/test';
import { MockDashboard } from '../dashboard/mock-dashboard.js';
import { test as base } from './fixture.js';

interface MockFixtures {
  /** Set it with `test.use({ mockOptions: … })`. */
  readonly mockOptions: readonly string[];
  readonly dashboard: MockDashboard;
}

interface SharedDashboards {
  readonly dashboards: Map<string, MockDashboard>;
}

/** The dashboard alone, over made-up data that each test finds fresh: for what a demo cannot show at will. */
export const test = base.extend<MockFixtures, SharedDashboards>({
  dashboards: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
    async ({}, use) => {
      const dashboards = new Map<string, MockDashboard>();
      await use(dashboards);
      for (const dashboard of dashboards.values()) dashboard.stop();
    },
    { scope: 'worker' },
  ],

  mockOptions: [[], { option: true }],

  dashboard: async ({ dashboards, mockOptions, storeKind }, use, testInfo) => {
    testInfo.skip(storeKind !== 'log', 'made-up data are in no store');
    const name = mockOptions.join(' ');
    const dashboard = dashboards.get(name) ?? (await MockDashboard.start(...mockOptions));
    dashboards.set(name, dashboard);
    await dashboard.begin();
    await use(dashboard);
  },
});

/** The made-up store answers at once; a browser on a busy machine of two cores does not. */
export const expect = baseExpect.configure({ timeout: 20_000 });
