import { exerciseMoving } from '@holdfast/store-trials/suites';
import { it } from 'vitest';
import { movablePostgresStore } from '../src/moving.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();

function overRigs(name: string, test: (source: PostgresRig, target: PostgresRig) => Promise<void>): void {
  it(name, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rigs = [new PostgresRig(database.url), new PostgresRig(database.url)] as const;
    try {
      await test(...rigs);
    } finally {
      for (const rig of rigs) await rig.close();
    }
  });
}

exerciseMoving(overRigs, {
  port: 5432,
  movable: ({ url, schema }: PostgresRig, other = url) => movablePostgresStore({ connectionString: other, schema }),
  change: (rig) => rig.query(`set lock_timeout = '100ms'; update ${rig.schema}.ready set priority = priority`),
  // No lock holds a sequence.
  disturb: (rig) => rig.query(`select nextval('${rig.schema}.end_number')`),
  disturbed: 'MOVE_REFUSED',
});
