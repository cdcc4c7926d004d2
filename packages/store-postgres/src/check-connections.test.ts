import { InvalidArgumentError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { openPostgresStore } from './open-postgres-store.js';
import type { PostgresPoolClient } from './pool.js';

it.each([true, false])('refuses a pool of pg.native, and asks it for nothing (session: %s)', async (session) => {
  const asked: string[] = [];
  const client: PostgresPoolClient = {
    query: async ({ text }) => {
      asked.push(text);
      return { rows: [] };
    },
    release: () => {},
    on: () => {},
    off: () => {},
  };
  const pool = { connect: async () => ({ ...client, native: {} }), on: () => {} };
  const opened = openPostgresStore({ pool, session });
  await expect(opened).rejects.toBeInstanceOf(InvalidArgumentError);
  await expect(opened).rejects.toThrow(/pool is "a pool of pg\.native", but must be a pool of pg itself/);
  expect(asked).toEqual([]);
});
