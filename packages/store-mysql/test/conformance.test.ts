import type { RetentionOptions } from '@holdfast/contract';
import { exerciseJobStore } from '@holdfast/testing/conformance';
import { afterAll, describe, it } from 'vitest';
import { findTestDatabase, NO_DATABASE, RigPool, untried } from './test-database.js';

const database = await findTestDatabase();

const pools = new Map<string, RigPool>();

/** Each retention has databases of its own. */
function poolFor(retention: RetentionOptions): RigPool {
  const name = JSON.stringify(retention);
  const pool = pools.get(name) ?? new RigPool(database, { retention, sweepMs: 200 });
  pools.set(name, pool);
  return pool;
}

async function openRig(retention: RetentionOptions) {
  const pool = poolFor(retention);
  const rig = pool.take();
  const store = await rig.open();
  const reopen = (how: 'closed' | 'killed') => rig.reopen(how);
  return { store, heedsRetention: true as const, close: () => pool.giveBack(rig), reopen };
}

afterAll(async () => {
  for (const pool of pools.values()) await pool.close();
});

if (database === undefined) it('runs the conformance suite', (context) => context.skip(NO_DATABASE));
else {
  const { kind, version } = database;
  // The suite waits in real time, and each test has a schema of its own: several wait at once.
  describe.concurrent(`${kind} ${version}`, () =>
    exerciseJobStore({
      name: 'the store on MySQL and MariaDB',
      timeoutMs: 60_000,
      open: ({ retention }) => openRig(retention),
    }));
  it('runs on the other kind of server too', (context) => context.skip(untried(database)));
}
