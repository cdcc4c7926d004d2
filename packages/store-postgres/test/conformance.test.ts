import { exerciseJobStore } from '@holdfast/testing/conformance';
import { describe, it } from 'vitest';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();

/** No rule of the suite is about a crash of the server, so nothing has to wait for its disk. */
function quickly(url: string): string {
  const quick = new URL(url);
  quick.searchParams.set('options', '-c synchronous_commit=off');
  return quick.href;
}

if (database === undefined) it('runs the conformance suite', (context) => context.skip(NO_DATABASE));
else {
  // The suite waits in real time, and each test has a schema of its own: several wait at once.
  describe.concurrent(`PostgreSQL ${database.version}`, () =>
    exerciseJobStore({
      name: 'the store on PostgreSQL',
      timeoutMs: 60_000,
      async open({ retention }) {
        const rig = new PostgresRig(quickly(database.url), { retention, sweepMs: 200, acceptDataLoss: true });
        const reopen = (how: 'closed' | 'killed') => rig.reopen(how);
        return { store: await rig.open(), heedsRetention: true, close: () => rig.close(), reopen };
      },
    }));
}
