import { InvalidArgumentError } from '@holdfast/contract';
import pg from 'pg';
import { expect, it } from 'vitest';
import { pgTransaction } from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const BY = { actor: 'olga' };
const ALL = { state: 'ready' } as const;

const database = await findTestDatabase();

function overRig(name: string, test: (rig: PostgresRig) => Promise<void>) {
  it(name, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new PostgresRig(database.url);
    try {
      await test(rig);
    } finally {
      await rig.close();
    }
  });
}

overRig('a plan does not touch what was committed after it, whenever it was begun', async (rig) => {
  const store = await rig.open();
  const [before] = await store.enqueue([JOB]);
  const clients = [new pg.Client({ connectionString: rig.url }), new pg.Client({ connectionString: rig.url })];
  const [early, late] = clients;
  if (early === undefined || late === undefined) throw new Error('There are two.');
  for (const client of clients) await client.connect();
  // Both have their number before the plan; the later one commits first, so the plan sees it and not the earlier one.
  for (const client of clients) {
    await client.query('begin');
    await store.enqueue([JOB], { transaction: pgTransaction(client) });
  }
  await late.query('commit');
  const plan = await store.plan({ all: ALL });
  expect(plan).toMatchObject({ matched: { value: 2, relation: 'exact' }, states: { ready: 2 } });
  await early.query('commit');
  const [after] = await store.enqueue([JOB]);
  const outcome = await store.cancel({ all: ALL, asOf: plan.asOf, limit: 100 }, BY);
  expect(outcome).toEqual({ matched: 2, done: 2, skipped: {} });
  expect(await store.plan({ all: ALL })).toMatchObject({ matched: { value: 2 } });
  expect((await store.job(before?.id ?? ''))?.state).toBe('cancelled');
  expect((await store.job(after?.id ?? ''))?.state).toBe('ready');
  for (const client of clients) await client.end();
});

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

overRig('a moment that has not been yet is refused', async (rig) => {
  const store = await rig.open();
  const { asOf } = await store.plan({ all: ALL });
  const [place, base] = asOf.split('.');
  const toCome = [place, base, 'zzzzzz', ''].join('.');
  await expect(store.cancel({ all: ALL, asOf: toCome, limit: 1 }, BY)).rejects.toThrow(
    /selection\.asOf.*what plan gave/,
  );
});
