import { expect as baseExpect } from '@playwright/test';
import { MockDashboard } from '../dashboard/mock-dashboard.js';
import { test as base } from './fixture.js';

interface MockFixtures {
  /** Set it with `test.use({ mockOptions: … })`. */
  readonly mockOptions: readonly string[];
  readonly dashboard: MockDashboard;
}

/** The dashboard alone, over made-up data: for what a demo cannot show at will. */
export const test = base.extend<MockFixtures>({
  mockOptions: [[], { option: true }],

  dashboard: async ({ mockOptions }, use) => {
    const dashboard = await MockDashboard.start(...mockOptions);
    await use(dashboard);
    dashboard.stop();
  },
});

/** The made-up store answers at once; a browser on a busy machine of two cores does not. */
export const expect = baseExpect.configure({ timeout: 20_000 });
