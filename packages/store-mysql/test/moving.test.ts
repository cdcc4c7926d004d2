import process from 'node:process';
import { exerciseMoving } from '@holdfast/store-trials/suites';
import { expect, it } from 'vitest';
import { movableMysqlStore } from '../src/moving.js';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

const database = await findTestDatabase();

function overRigs(name: string, test: (source: MysqlRig, target: MysqlRig) => Promise<void>): void {
  it(name, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rigs = [new MysqlRig(database.url), new MysqlRig(database.url)] as const;
    try {
      await test(...rigs);
    } finally {
      for (const rig of rigs) await rig.close();
    }
  });
}

/** Ends the connection that holds the tables of the schema. */
async function endHolder(rig: MysqlRig): Promise<void> {
  const [holder] = await rig.query<{ id: number }>(`select is_used_lock('hf:${rig.schema}:move') as id`);
  await rig.query(`kill ${holder?.id}`);
}

overRigs('says what a user lacks that may not lock the tables of a source', async (rig) => {
  const url = new URL(rig.url);
  url.username = `hf_${process.pid}`;
  url.password = 'secret';
  await (await rig.open()).close();
  await rig.query(`create user ${url.username}@'%' identified by 'secret'`);
  const store = movableMysqlStore({ connectionString: url.href, schema: rig.schema });
  try {
    await rig.query(`grant select, insert, update, delete, create on ${rig.schema}.* to ${url.username}@'%'`);
    const read = () => store.readWhole(async ({ identity }) => identity.storeId);
    await expect(read()).rejects.toMatchObject({
      code: 'MOVE_REFUSED',
      nextStep: `Let it: GRANT LOCK TABLES ON ${rig.schema}.* TO …`,
    });
    await rig.query(`grant lock tables on ${rig.schema}.* to ${url.username}@'%'`);
    expect(await read()).toMatch(/^[0-9a-f]{32}$/);
  } finally {
    await store.close();
    await rig.query(`drop user ${url.username}@'%'`);
  }
});

exerciseMoving(overRigs, {
  port: 3306,
  movable: ({ url, schema }: MysqlRig, other = url) => movableMysqlStore({ connectionString: other, schema }),
  change: (rig) =>
    rig.connected(async (ask) => {
      await ask('set session lock_wait_timeout = 1');
      await ask(`update ${rig.schema}.ready set priority = priority`);
    }),
  disturb: endHolder,
  disturbed: 'MOVE_INTERRUPTED',
});
