import { RequestMismatchError, StoreFailedError } from '@holdfast/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { Database } from './database.js';
import type { PostgresPoolClient } from './pool.js';

afterEach(() => {
  vi.useRealTimers();
});

const BEGIN = 'begin isolation level read committed; set local idle_in_transaction_session_timeout = 30000';
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
  const database = new Database({ pool, location: 'db', prepare: false, callTimeoutMs: 30_000, reached: () => {} });
  return { asked, released, database };
}

it('asks nothing more of a connection that did not answer: its rollback would be waited for as long again', async () => {
  const { asked, released, database } = silentAfter(SILENT);
  const call = database.transaction((queries) => queries.run({ text: SILENT }));
  await expect(call).rejects.toMatchObject({ name: 'StoreFailedError', outcome: 'rejected' });
  await expect(call).rejects.toBeInstanceOf(StoreFailedError);
  expect(asked).toEqual([BEGIN, SILENT]);
  expect(released).toEqual([true]);
});

it('rolls back where the work refused, and keeps the connection', async () => {
  const { asked, released, database } = silentAfter(SILENT);
  const refused = database.transaction(async () => {
    throw new RequestMismatchError('one');
  });
  await expect(refused).rejects.toBeInstanceOf(RequestMismatchError);
  expect(asked).toEqual([BEGIN, 'rollback']);
  expect(released).toEqual([false]);
});

it('makes a call on another connection than one that died while nobody used it', async () => {
  vi.useFakeTimers();
  const released: unknown[] = [];
  const clients = [1, 2].map((name): PostgresPoolClient => {
    let asked = 0;
    return {
      query: async () => (name === 1 && asked++ > 0 ? new Promise<never>(() => {}) : { rows: [{ name }] }),
      release: (error) => released.push([name, error]),
      on: () => {},
      off: () => {},
    };
  });
  const pool = { connect: async () => clients[released.length > 1 ? 1 : 0]!, on: () => {} };
  const database = new Database({ pool, location: 'db', prepare: false, callTimeoutMs: 30_000, reached: () => {} });
  expect(await database.run({ text: 'who' })).toEqual([{ name: 1 }]);
  await vi.advanceTimersByTimeAsync(60_000);
  const call = database.run({ text: 'who' });
  await vi.advanceTimersByTimeAsync(5000);
  expect(await call).toEqual([{ name: 2 }]);
  expect(released).toEqual([
    [1, undefined],
    [1, true],
    [2, undefined],
  ]);
});
