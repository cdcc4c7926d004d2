import { StoreOpenError } from '@holdfast/contract';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { migratePostgresStore } from '../src/index.js';
import { MIGRATIONS } from '../src/migrations/index.js';
import { rigTests } from './test-database.js';

const overRig = rigTests();
const WITHIN = { timeout: 15_000, interval: 20 };

overRig('a dry run tells what would run and changes nothing; a second run finds nothing to do', async (rig) => {
  const where = { connectionString: rig.url, schema: rig.schema };
  const planned = await migratePostgresStore({ ...where, dryRun: true });
  expect(planned).toContain(`create table ${rig.schema}.job`);
  expect(planned).not.toContain('hf.');
  await expect(rig.open({ migrate: false })).rejects.toThrow(
    /lacks migrations \(1\).*migratePostgresStore.*or name the schema/,
  );
  expect(await migratePostgresStore(where)).toBe(planned);
  expect(await migratePostgresStore(where)).toBe('');
  expect(await migratePostgresStore({ ...where, dryRun: true })).toBe('');
  const store = await rig.open({ migrate: false });
  expect((await store.storage()).recovery.kind).toBe('new');
});

overRig('a schema of a later version is refused and left alone', async (rig) => {
  await (await rig.open()).close();
  await rig.query(`insert into ${rig.schema}.migration (version, what) values (99, 'to come')`);
  await expect(rig.open()).rejects.toThrow(StoreOpenError);
  await expect(rig.open()).rejects.toThrow(/version 99/);
});

overRig('who opens at the same moment makes the schema once', async (rig) => {
  const stores = await Promise.all([rig.open(), rig.open(), rig.open(), rig.open()]);
  expect(new Set(await Promise.all(stores.map(async (store) => (await store.storage()).storeId))).size).toBe(1);
  expect(await rig.query(`select version from ${rig.schema}.migration`)).toHaveLength(MIGRATIONS.length);
});

overRig(
  'who waits while another one makes the schema sees it then, though it was not there a moment before',
  async (rig) => {
    const other = new pg.Client({ connectionString: rig.url });
    await other.connect();
    try {
      await (await rig.open()).close();
      // A schema that comes by another name changes so little that the server tells nobody who waits.
      await other.query(`alter schema ${rig.schema} rename to ${rig.schema}_other`);
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`holdfast migrates ${rig.schema}`]);
      const opened = rig.open();
      const waiting =
        "select 1 from pg_stat_activity where wait_event = 'advisory' and pg_blocking_pids(pid) = $1::int4[]";
      const [{ pid } = { pid: 0 }] = (await other.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
      await vi.waitFor(async () => expect(await rig.query(waiting, [[pid]])).toHaveLength(1), WITHIN);
      await other.query(`alter schema ${rig.schema}_other rename to ${rig.schema}`);
      await other.query('commit');
      expect((await (await opened).storage()).recovery.kind).toBe('clean');
    } finally {
      await other.end();
    }
  },
);

overRig('tables of somebody else are refused, and left as they are', async (rig) => {
  const { schema } = rig;
  const where = { connectionString: rig.url, schema };
  const tables = async () =>
    (
      await rig.query<{ name: string }>('select relname as name from pg_class where relnamespace = $1::regnamespace', [
        schema,
      ])
    )
      .map(({ name }) => name)
      .sort();
  for (const [theirs, names] of [
    ['table %.job (id int)', 'job'],
    ['view %.queue as select 1', 'queue'],
    ['sequence %.token', 'token'],
    [
      'table %.migration (version text); create table %.job (id int); insert into %.migration values (20240101)',
      'job, migration',
    ],
  ] as const) {
    await rig.query(`create schema ${schema}; create ${theirs.replaceAll('%', schema)}`);
    const before = await tables();
    for (const open of [
      () => rig.open(),
      () => rig.open({ migrate: false }),
      () => migratePostgresStore({ ...where, dryRun: true }),
    ]) {
      await expect(open()).rejects.toThrow(StoreOpenError);
      await expect(open()).rejects.toThrow(
        `its schema ${schema} has something of somebody else's by the names that the store uses: ${names}.`,
      );
    }
    expect(await tables()).toEqual(before);
    await rig.query(`drop schema ${schema} cascade`);
  }
  // What is called otherwise does no harm.
  await rig.query(`create schema ${schema}; create table ${schema}.orders (id int)`);
  await rig.open();
});
