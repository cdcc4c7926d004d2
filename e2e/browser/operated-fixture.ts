import { OperatedApp, type OperatedOptions } from '../dashboard/operated-app.js';
import { test as base, closePages } from './fixture.js';

interface OperatedFixtures {
  /** Set it with `test.use({ operatedOptions: … })`. */
  readonly operatedOptions: OperatedOptions;
  readonly operated: OperatedApp;
}

/** The dashboard over a real store in the test's own process, empty at the start of each test. */
export const test = base.extend<OperatedFixtures>({
  operatedOptions: [{}, { option: true }],

  operated: async ({ context, operatedOptions }, use) => {
    const operated = await OperatedApp.start(operatedOptions);
    await use(operated);
    await closePages(context);
    await operated.stop();
  },
});

export { expect } from './mock-fixture.js';
