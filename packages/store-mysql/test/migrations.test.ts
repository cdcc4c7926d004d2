import { StoreOpenError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { migrateMysqlStore } from '../src/index.js';
import { MIGRATIONS } from '../src/migrations/index.js';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

const database = await findTestDatabase();

/** Does something with a rig of its own, and drops what it made. */
function overRig(name: string, test: (rig: MysqlRig) => Promise<void>): void {
  it.concurrent(name, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new MysqlRig(database.url);
    try {
      await test(rig);
    } finally {
      await rig.close();
    }
  });
}

overRig('a dry run tells what would run and changes nothing; a second run finds nothing to do', async (rig) => {
  const where = { connectionString: rig.url, schema: rig.schema };
  const planned = await migrateMysqlStore({ ...where, dryRun: true });
  expect(planned).toContain(`create table if not exists ${rig.schema}.job`);
  expect(planned).not.toMatch(/hf\.|%/);
  expect(await rig.query(`show databases like '${rig.schema}'`)).toEqual([]);
  await expect(rig.open({ migrate: false })).rejects.toThrow(
    /lacks migrations \(1\).*migrateMysqlStore.*or name the schema/,
  );
  expect(await migrateMysqlStore(where)).toBe(planned);
  expect(await migrateMysqlStore(where)).toBe('');
  expect(await migrateMysqlStore({ ...where, dryRun: true })).toBe('');
  const store = await rig.open({ migrate: false });
  expect((await store.storage()).recovery.kind).toBe('new');
});

overRig('what the dry run tells does the same when it is run by hand', async (rig) => {
  const where = { connectionString: rig.url, schema: rig.schema };
  const planned = await migrateMysqlStore({ ...where, dryRun: true });
  await rig.connected(async (ask) => {
    for (const text of planned.split(';')) if (text.trim() !== '') await ask(text);
  });
  expect(await migrateMysqlStore(where)).toBe('');
});

overRig('a migration that was cut off is done again, whatever it had done', async (rig) => {
  const where = { connectionString: rig.url, schema: rig.schema };
  const whole = await migrateMysqlStore(where);
  const { storeId } = await (await rig.open()).storage();
  await rig.query(`delete from ${rig.schema}.migration`);
  for (const lost of ['act', 'process', 'name_lock']) await rig.query(`drop table ${rig.schema}.${lost}`);
  expect(await migrateMysqlStore(where)).toBe(whole);
  const store = await rig.open({ migrate: false });
  expect((await store.storage()).storeId).toBe(storeId);
  expect(await rig.query(`select count(*) as slots from ${rig.schema}.name_lock`)).toEqual([{ slots: 4096 }]);
});

overRig('who opens at the same moment makes the schema once', async (rig) => {
  const stores = await Promise.all([rig.open(), rig.open(), rig.open()]);
  expect(new Set(await Promise.all(stores.map(async (store) => (await store.storage()).storeId))).size).toBe(1);
  expect(await rig.query(`select version from ${rig.schema}.migration`)).toHaveLength(MIGRATIONS.length);
});

overRig('a schema of a later version is refused and left alone', async (rig) => {
  await (await rig.open()).close();
  await rig.query(`insert into ${rig.schema}.migration (version, what, ran_at_ms) values (99, 'to come', 0)`);
  await expect(rig.open()).rejects.toThrow(StoreOpenError);
  await expect(rig.open()).rejects.toThrow(/version 99/);
});

overRig('tables of somebody else are refused, and left as they are', async (rig) => {
  const { schema } = rig;
  const where = { connectionString: rig.url, schema };
  const tables = async () =>
    (await rig.query<object>(`show full tables from ${schema}`)).map((row) => Object.values(row));
  for (const [theirs, names] of [
    [['table %.job (id int)'], 'job'],
    [['view %.queue as select 1 as one'], 'queue'],
    [['table %.migration (version varchar(20))', 'table %.job (id int)'], 'job, migration'],
  ] as const) {
    await rig.query(`create database ${schema}`);
    for (const text of theirs) await rig.query(`create ${text.replaceAll('%', schema)}`);
    const before = await tables();
    for (const open of [
      () => rig.open(),
      () => rig.open({ migrate: false }),
      () => migrateMysqlStore({ ...where, dryRun: true }),
    ]) {
      await expect(open()).rejects.toThrow(StoreOpenError);
      await expect(open()).rejects.toThrow(
        `its schema ${schema} has something of somebody else's by the names that the store uses: ${names}.`,
      );
    }
    expect(await tables()).toEqual(before);
    await rig.query(`drop database ${schema}`);
  }
  // What is called otherwise does no harm.
  await rig.query(`create database ${schema}`);
  await rig.query(`create table ${schema}.orders (id int)`);
  await rig.open();
});
