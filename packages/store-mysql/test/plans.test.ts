import { exercisePlans } from '@holdfast/store-trials/suites';
import { expect } from 'vitest';
import { type MysqlRig, rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const BY = { actor: 'olga' };
const ALL = { state: 'ready' } as const;

exercisePlans(rigTests());

/** Swept by hand. */
const overRig = rigTests({ sweepMs: 60_000 });

/** As if the last look had been long ago. */
async function settle(rig: MysqlRig, sweep: () => Promise<unknown>): Promise<void> {
  for (let look = 0; look < 2; look++) {
    await rig.query(`update ${rig.schema}.settled_changes set seen_at_s = 0`);
    await sweep();
  }
}

/** All changes that are kept, also those that nobody has committed yet. */
async function kept(rig: MysqlRig) {
  return rig.connected(async (ask) => {
    await ask('set session transaction isolation level read uncommitted');
    const [bound] = await ask<{ below: number; still_open: string }>(`select * from ${rig.schema}.settled_changes`);
    const changes = await ask<{ id: number }>(`select id from ${rig.schema}.job_change order by id`);
    return { below: bound?.below ?? 0, stillOpen: bound?.still_open, changes: changes.map(({ id }) => id) };
  });
}

overRig('changes that have ended leave no row, and one that is open among them stays none of the plan', async (rig) => {
  const store = await rig.open();
  const [open, undone] = [await rig.begin(), await rig.begin()];
  await store.enqueue([JOB], { transaction: open.transaction });
  await store.enqueue([JOB], { transaction: undone.transaction });
  for (let index = 0; index < 3; index++) await store.enqueue([JOB]);
  const before = await kept(rig);
  expect(before.changes).toHaveLength(5);

  await settle(rig, () => store.sweepNow());
  const [first, second] = before.changes;
  expect(await kept(rig)).toEqual({
    below: (before.changes.at(-1) ?? 0) + 1,
    stillOpen: `${first},${second}`,
    changes: [first, second],
  });
  const plan = await store.plan({ all: ALL });
  expect(plan.matched).toEqual({ value: 3, relation: 'exact' });
  await open.commit();
  await undone.rollback();
  expect((await store.plan({ all: ALL })).matched.value).toBe(4);

  await settle(rig, () => store.sweepNow());
  expect(await kept(rig)).toMatchObject({ stillOpen: '', changes: [] });
  expect(await store.cancel({ all: ALL, asOf: plan.asOf, limit: 100 }, BY)).toMatchObject({ matched: 3, done: 3 });
  expect((await store.plan({ all: ALL })).matched.value).toBe(1);
});

overRig('a change that was seen a moment ago keeps its row', async (rig) => {
  const store = await rig.open();
  await store.enqueue([JOB]);
  await rig.query(`update ${rig.schema}.settled_changes set seen_at_s = unix_timestamp() + 60`);
  await store.sweepNow();
  expect((await kept(rig)).changes).toHaveLength(1);
});

overRig('one sweep forgets all changes that have ended, however many there are', async (rig) => {
  const store = await rig.open();
  await store.enqueue([JOB]);
  for (let doubling = 0; doubling < 15; doubling++) {
    await rig.query(`insert into ${rig.schema}.job_change (id) select null from ${rig.schema}.job_change`);
  }
  await settle(rig, () => store.sweepNow());
  expect(await kept(rig)).toMatchObject({ stillOpen: '', changes: [] });
});
