import { StoreOpenError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { migratePostgresStore } from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();

it('a dry run tells what would run and changes nothing; a second run finds nothing to do', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url);
  const where = { connectionString: rig.url, schema: rig.schema };
  try {
    const planned = await migratePostgresStore({ ...where, dryRun: true });
    expect(planned).toContain(`create table ${rig.schema}.job`);
    expect(planned).not.toContain('hf.');
    await expect(rig.open({ migrate: false })).rejects.toThrow(/lacks 1 migrations.*migratePostgresStore/);
    expect(await migratePostgresStore(where)).toBe(planned);
    expect(await migratePostgresStore(where)).toBe('');
    expect(await migratePostgresStore({ ...where, dryRun: true })).toBe('');
    const store = await rig.open({ migrate: false });
    expect((await store.storage()).recovery.kind).toBe('new');
  } finally {
    await rig.close();
  }
});

it('a schema of a later version is refused and left alone', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url);
  try {
    await (await rig.open()).close();
    await rig.query(`insert into ${rig.schema}.migration (version, what) values (99, 'to come')`);
    await expect(rig.open()).rejects.toThrow(StoreOpenError);
    await expect(rig.open()).rejects.toThrow(/version 99/);
  } finally {
    await rig.close();
  }
});
