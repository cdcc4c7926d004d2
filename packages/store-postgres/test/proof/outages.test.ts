import { describe, expect, it, type TestContext } from 'vitest';
import { NO_CLUSTER } from '../own-cluster.js';
import { findTestDatabase, NO_DATABASE } from '../test-database.js';
import { faultsOfOutage, type OutageFigures } from './outage.js';
import { allConnectionsKilled, cutOff, serverCrashed } from './outages.js';

/** Longer than the leases, so that they run out meanwhile. */
const CUT_OFF_MS = 1200;

const database = await findTestDatabase();

function holds(figures: OutageFigures): void {
  expect(faultsOfOutage(figures), JSON.stringify(figures)).toEqual([]);
}

function overDatabase(outage: (url: string) => Promise<OutageFigures>) {
  return async (context: TestContext) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    holds(await outage(database.url));
  };
}

// Most of each is waiting, for leases to run out and for the server.
describe.concurrent('an application goes on by itself, and nothing is lost or done under two leases', {
  timeout: 90_000,
}, () => {
  it('when every connection is killed, five times', overDatabase(allConnectionsKilled));

  it(
    'when the server cannot be reached for longer than its leases last',
    overDatabase((url) => cutOff(url, CUT_OFF_MS)),
  );

  it('when the server crashes and comes back', async (context) => {
    const figures = await serverCrashed(0);
    if (figures === undefined) return context.skip(NO_CLUSTER);
    holds(figures);
  });
});
