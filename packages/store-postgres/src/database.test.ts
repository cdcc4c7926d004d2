import { RequestMismatchError, StoreFailedError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { Database } from './database.js';
import type { PostgresPoolClient } from './pool.js';

const SILENT = 'select from a table that is locked';

/** A connection that hears nothing any more once it was asked something that is not answered. */
function silentAfter(text: string) {
  const asked: string[] = [];
  const released: unknown[] = [];
  const client: PostgresPoolClient = {
    async query(query) {
      asked.push(query.text);
      if (query.text === text) throw new Error('Query read timeout');
      return { rows: [] };
    },
    release: (error) => released.push(error),
    on: () => {},
    off: () => {},
  };
  const pool = { connect: async () => client, on: () => {} };
  const database = new Database({ pool, location: 'db', prepare: false, reached: () => {} });
  return { asked, released, database };
}

it('asks nothing more of a connection that did not answer: its rollback would be waited for as long again', async () => {
  const { asked, released, database } = silentAfter(SILENT);
  const call = database.transaction((queries) => queries.run({ text: SILENT }));
  await expect(call).rejects.toMatchObject({ name: 'StoreFailedError', outcome: 'rejected' });
  await expect(call).rejects.toBeInstanceOf(StoreFailedError);
  expect(asked).toEqual(['begin isolation level read committed', SILENT]);
  expect(released).toEqual([true]);
});

it('rolls back where the work refused, and keeps the connection', async () => {
  const { asked, released, database } = silentAfter(SILENT);
  const refused = database.transaction(async () => {
    throw new RequestMismatchError('one');
  });
  await expect(refused).rejects.toBeInstanceOf(RequestMismatchError);
  expect(asked).toEqual(['begin isolation level read committed', 'rollback']);
  expect(released).toEqual([false]);
});
