import { OperatedApp, type OperatedOptions } from '../dashboard/operated-app.js';
import { NO_POSTGRES, postgresAnswers } from '../dashboard/tested-store.js';
import { test as base, closePages } from './fixture.js';

/** Why a list of more jobs is tested over the log alone: the reason of a skip. */
export const COUNTED_IN_PART =
  'PostgreSQL counts the jobs of a list up to 10,000, and then says that there are at least so many';

interface OperatedFixtures {
  /** Set it with `test.use({ operatedOptions: … })`. */
  readonly operatedOptions: OperatedOptions;
  readonly operated: OperatedApp;
}

/** The dashboard over a real store in the test's own process, empty at the start of each test. */
export const test = base.extend<OperatedFixtures>({
  operatedOptions: [{}, { option: true }],

  operated: async ({ context, operatedOptions, storeKind }, use, testInfo) => {
    testInfo.skip(storeKind === 'postgres' && !(await postgresAnswers()), NO_POSTGRES);
    const operated = await OperatedApp.start({ store: storeKind, ...operatedOptions });
    await use(operated);
    await closePages(context);
    await operated.stop();
  },
});

export { expect } from './mock-fixture.js';
