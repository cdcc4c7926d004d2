import { StoreOpenError } from '@holdfast/contract';
import { expect } from 'vitest';
import { migratePostgresStore } from '../src/index.js';
import { MIGRATIONS } from '../src/migrations/index.js';
import { rigTests } from './test-database.js';

const overRig = rigTests();

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
