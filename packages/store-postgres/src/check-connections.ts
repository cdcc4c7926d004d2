import { InvalidArgumentError, StoreOpenError } from '@holdfast/contract';
import type { CheckedOptions } from './options.js';
import type { PostgresPool, PostgresPoolClient } from './pool.js';

/** So often it is looked whether a connection is shared. */
const LOOKS = 10;

/**
 * Looks whether the connections are what the store needs, on two of them that are not set up for it yet.
 * @throws InvalidArgumentError for a pool of the caller's that cannot be used; StoreOpenError behind a pooler that shares connections, where one is to be kept
 */
export async function checkConnections(options: CheckedOptions): Promise<void> {
  if (options.isOwnPool && !options.session) return;
  const { pool, end } = options.pool(2, false);
  const clients: PostgresPoolClient[] = [];
  try {
    const first = await taken(pool, clients);
    if ('native' in first) {
      const allowed = 'a pool of pg itself (new pg.Pool), which can send values in binary';
      throw new InvalidArgumentError('pool', 'a pool of pg.native', allowed);
    }
    if (!options.session) return;
    checkRoom(pool);
    if (await areShared(first, await taken(pool, clients), options.connectTimeoutMs))
      throw sharedError(options.location);
  } finally {
    // Closed rather than given back: one that did not answer is of no use to anybody.
    for (const client of clients) client.release(true);
    await end();
  }
}

async function taken(pool: PostgresPool, clients: PostgresPoolClient[]): Promise<PostgresPoolClient> {
  const client = await pool.connect();
  client.on('error', () => {});
  clients.push(client);
  return client;
}

function checkRoom({ options }: PostgresPool): void {
  if (options?.max !== 1) return;
  const allowed = 'at least 2, because the store keeps a connection';
  throw new InvalidArgumentError('The max of the given pool', options.max, allowed, 'Or say session: false.');
}

/**
 * Behind a pooler in transaction mode the second client is given what the first one used a moment ago, or the first one is given another one when it asks again. Where
 * others use the pooler at the same time neither is sure, so it is looked for several times.
 */
async function areShared(kept: PostgresPoolClient, other: PostgresPoolClient, timeoutMs: number): Promise<boolean> {
  const pidOf = async (client: PostgresPoolClient) => {
    const { rows } = await client.query({ text: 'select pg_backend_pid() as pid', query_timeout: timeoutMs });
    return (rows as { readonly pid: number }[])[0]?.pid;
  };
  const pid = await pidOf(kept);
  for (let look = 0; look < LOOKS; look++) {
    if ((await pidOf(other)) === pid || (await pidOf(kept)) !== pid) return true;
  }
  return false;
}

function sharedError(location: string): StoreOpenError {
  const problem =
    'its connections are shared by clients from transaction to transaction, as PgBouncer does it in transaction mode, but the store is to keep one (session: true): what others tell, and ' +
    'the lock of the leader, would be lost.';
  return new StoreOpenError(
    location,
    `${problem} Say session: false, or connect to the server itself or to a pooler in session mode.`,
  );
}
