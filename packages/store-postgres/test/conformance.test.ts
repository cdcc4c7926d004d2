import type { RetentionOptions } from '@holdfast/contract';
import { exerciseJobStore } from '@holdfast/testing/conformance';
import { afterAll, describe, it } from 'vitest';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();

/** No rule of the suite is about a crash of the server, so nothing has to wait for its disk. */
function quickly(url: string): string {
  const quick = new URL(url);
  quick.searchParams.set('options', '-c synchronous_commit=off');
  return quick.href;
}

/** Schemas that a test has left empty for the next one. */
const empty: PostgresRig[] = [];

async function openRig(url: string, retention: RetentionOptions) {
  const rig = empty.pop() ?? new PostgresRig(quickly(url), { retention, sweepMs: 200, acceptDataLoss: true });
  const close = async () => {
    await rig.empty();
    empty.push(rig);
  };
  const store = await rig.open();
  return { store, heedsRetention: true as const, close, reopen: (how: 'closed' | 'killed') => rig.reopen(how) };
}

afterAll(async () => {
  for (const rig of empty) await rig.close();
});

if (database === undefined) it('runs the conformance suite', (context) => context.skip(NO_DATABASE));
else {
  const { url, version } = database;
  // The suite waits in real time, and each test has a schema of its own: several wait at once.
  describe.concurrent(`PostgreSQL ${version}`, () =>
    exerciseJobStore({
      name: 'the store on PostgreSQL',
      timeoutMs: 60_000,
      open: ({ retention }) => openRig(url, retention),
    }));
}
