import { InvalidArgumentError, StoreOpenError } from '@holdfast/contract';
import { exerciseConnection } from '@holdfast/store-trials/suites';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { openPostgresStore, type PostgresTransaction, postgresStore } from '../src/index.js';
import { findTestDatabase, NO_DATABASE, type PostgresRig, rigTests } from './test-database.js';

const database = await findTestDatabase();
const { url } = database ?? { url: '' };

describe('a database that cannot be used', () => {
  it('is not asked for until the store is opened, which says that no URL is there', async () => {
    const source = postgresStore({ connectionString: process.env.HOLDFAST_TEST_NOT_SET });
    expect(source.location).toBe('a PostgreSQL database');
    await expect(source.open()).rejects.toThrow(/connectionString is undefined.*Is the environment variable set\?/);
  });

  it('is refused in time, and named, where nobody answers', async () => {
    const opened = openPostgresStore({ connectionString: 'postgres://nobody:secret@127.0.0.1:1/none' });
    await expect(opened).rejects.toThrow(StoreOpenError);
    await expect(opened).rejects.toThrow(/127\.0\.0\.1:1\/none.*ECONNREFUSED/);
    await expect(opened).rejects.not.toThrow(/secret/);
  });

  it.for(['postgres://app:se#cret/s@db/app', 'postgres://app:secret@db:99999/app', 5])(
    'is refused where the address is none, which is not shown: %s',
    async (given) => {
      const opened = openPostgresStore({ connectionString: given as string });
      await expect(opened).rejects.toThrow(InvalidArgumentError);
      await expect(opened).rejects.toThrow(
        /connectionString.*postgres:\/\/user@host\/database\. In a password # is written as %23/,
      );
      await expect(opened).rejects.not.toThrow(/cret/);
    },
  );

  it.for([
    ['synchronous_commit=off', /synchronous_commit is off/],
    ['default_transaction_isolation=serializable', /default_transaction_isolation is serializable/],
    ['array_nulls=off', /array_nulls is off/],
  ] as const)('is refused with %s', async ([setting, message], context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const options = encodeURIComponent(`-c ${setting}`);
    const opened = openPostgresStore({ connectionString: `${url}?options=${options}`, schema: 'hf_test_never_made' });
    await expect(opened).rejects.toThrow(message);
  });
});

exerciseConnection<PostgresTransaction, PostgresRig>(rigTests(), {
  port: 5432,
  tells: true,
  endSession: (rig) =>
    rig.query(
      `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = '${rig.schema}.process'::regclass::oid`,
    ),
  async hold(rig) {
    const holder = new pg.Client({ connectionString: rig.url });
    await holder.connect();
    await holder.query(`begin; lock table ${rig.schema}.job`);
    const text = `select 1 from pg_locks where relation = '${rig.schema}.job'::regclass and not granted`;
    const release = async () => {
      await holder.query('rollback');
      await holder.end();
    };
    return { waiting: async () => (await rig.query(text)).length, release };
  },
});
