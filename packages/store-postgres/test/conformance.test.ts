import { exerciseJobStore } from '@holdfast/testing/conformance';
import { describe, it } from 'vitest';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();

if (database === undefined) it('runs the conformance suite', (context) => context.skip(NO_DATABASE));
else {
  // The suite waits in real time, and each test has a schema of its own: several wait at once.
  describe.concurrent(`PostgreSQL ${database.version}`, () =>
    exerciseJobStore({
      name: 'the store on PostgreSQL',
      timeoutMs: 60_000,
      async open({ retention }) {
        const rig = new PostgresRig(database.url, { retention, sweepMs: 200 });
        const reopen = (how: 'closed' | 'killed') => rig.reopen(how);
        return { store: await rig.open(), heedsRetention: true, close: () => rig.close(), reopen };
      },
    }));
}
