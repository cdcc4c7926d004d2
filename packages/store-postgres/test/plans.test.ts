import { InvalidArgumentError } from '@holdfast/contract';
import { exercisePlans } from '@holdfast/store-trials/suites';
import { expect } from 'vitest';
import { rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const BY = { actor: 'olga' };
const ALL = { state: 'ready' } as const;

const overRig = rigTests();

exercisePlans(overRig);

overRig('a store that was copied to another server knows all of its jobs there, and none of its plans', async (rig) => {
  const first = await rig.open();
  const ids = (await first.enqueue([JOB, JOB])).map(({ id }) => id);
  const { asOf } = await first.plan({ all: ALL });
  await first.close();
  // As a dump leaves it: transactions of a server that has had many more of them.
  await rig.query(
    `update ${rig.schema}.meta set cluster = '1'; update ${rig.schema}.ready set changed_in = '9000000000000'`,
  );
  const copied = await rig.open();
  const all = { ...ALL, name: JOB.name };
  const plan = await copied.plan({ all });
  expect(plan).toMatchObject({ matched: { value: 2, relation: 'exact' }, samples: ids.toReversed() });
  expect(await copied.cancel({ all, asOf: plan.asOf, limit: 1 }, BY)).toMatchObject({ matched: 1, done: 1 });
  // The same server as before under another name: what was named there means nothing here.
  const elsewhere = asOf.replace(/^([^.]+)/, '$1x');
  await expect(copied.cancel({ all, asOf: elsewhere, limit: 1 }, BY)).rejects.toThrow(InvalidArgumentError);
});
