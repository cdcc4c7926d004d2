import { exerciseMoving } from '@holdfast/store-trials/suites';
import { it } from 'vitest';
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
