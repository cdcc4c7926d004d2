import pg from 'pg';
import { expect } from 'vitest';
import type { PostgresStore } from '../src/index.js';
import { type PostgresRig, rigTests } from './test-database.js';

const it = rigTests({ sweepMs: 60_000 });
const JOB = { queue: 'mail', name: 'send', payload: '{}' };
const BY = { actor: 'olga' };

it('a job that went to another queue before it could be replaced stays there as it was', async (rig) => {
  const store = await rig.open();
  const keyed = { ...JOB, dedupe: { key: 'report', onConflict: 'replace' } } as const;
  const id = await enqueueOne(store, keyed);
  const { transaction, commit } = await rig.begin();
  let replaces = 0;
  // What it was told of the job is true no more when it takes it.
  const late = {
    async run(text: string, values: readonly unknown[]) {
      if (text.includes('was_ready') && replaces++ === 0) await store.transfer({ ids: [id] }, 'other', BY);
      return transaction.run(text, values);
    },
  };
  const [answer] = await store.enqueue([{ ...keyed, payload: '{"new":true}' }], { transaction: late });
  await commit();
  expect(replaces).toBe(1);
  expect(answer).toMatchObject({ outcome: 'created', state: 'ready' });
  expect(await store.job(id)).toMatchObject({ queue: 'other', state: 'ready', payload: '{}' });
  const leases = await store.claim({ queues: ['mail', 'other'], limit: 10, leaseMs: 60_000, worker: 'one' });
  expect(new Set(leases.map((lease) => lease.id))).toEqual(new Set([id, answer?.id]));
});

it('a job that goes to another queue while it is removed is removed whole', async (rig) => {
  const store = await rig.open();
  const id = await enqueueOne(store, JOB);
  const outcome = await whileItGoes(rig, 'other', () => store.remove({ ids: [id] }, BY));
  expect(outcome).toMatchObject({ matched: 1, done: 1, skipped: {} });
  expect(await store.job(id)).toBeUndefined();
  expect(await rig.query(`select number from ${rig.schema}.job`)).toEqual([]);
  expect(await rig.query(`select number from ${rig.schema}.ready`)).toEqual([]);
});

it('a job that goes to another queue while somebody sends it to a third one goes to both, one after the other', async (rig) => {
  const store = await rig.open();
  const id = await enqueueOne(store, JOB);
  const outcome = await whileItGoes(rig, 'other', () => store.transfer({ ids: [id] }, 'third', BY));
  expect(outcome).toMatchObject({ matched: 1, done: 1, skipped: {} });
  expect(await store.job(id)).toMatchObject({ queue: 'third', state: 'ready' });
  const [lease] = await store.claim({ queues: ['third'], limit: 10, leaseMs: 60_000, worker: 'one' });
  expect(lease).toMatchObject({ id, queue: 'third', payload: '{}' });
});

it('what is noted of a job while it is removed, in whatever way it was selected, goes with it', async (rig) => {
  const store = await rig.open();
  for (const all of [false, true]) {
    const id = await enqueueOne(store, JOB);
    const selection = all ? { all: { state: 'ready', queue: 'mail' } as const } : { ids: [id] };
    const outcome = await whileItIsRanked(rig, () => store.remove(selection, BY));
    expect(outcome).toMatchObject({ matched: 1, done: 1, skipped: {} });
    expect(await rig.query(`select number from ${rig.schema}.act`)).toEqual([]);
  }
});

it('what is noted of a job while it is replaced is not known of the new one', async (rig) => {
  const store = await rig.open();
  const keyed = { ...JOB, dedupe: { key: 'report', onConflict: 'replace' } } as const;
  const id = await enqueueOne(store, keyed);
  const answers = await whileItIsRanked(rig, () => store.enqueue([{ ...keyed, payload: '{"new":true}' }]));
  expect(answers).toMatchObject([{ id, outcome: 'replaced' }]);
  expect((await store.job(id))?.acts ?? []).toEqual([]);
});

async function enqueueOne(store: PostgresStore, job: Parameters<PostgresStore['enqueue']>[0][number]): Promise<string> {
  const [answer] = await store.enqueue([job]);
  if (answer === undefined) throw new Error('One job has one answer.');
  return answer.id;
}

/** The only job has gone to another queue in a transaction that commits when the act stands in its way. */
function whileItGoes<Outcome>(rig: PostgresRig, queue: string, act: () => Promise<Outcome>): Promise<Outcome> {
  const goes = ['ready', 'job'].map(
    (table) =>
      `update ${rig.schema}.${table} set queue_id = (select id from ${rig.schema}.queue where name = '${queue}')`,
  );
  return whileItChanges(rig, [`insert into ${rig.schema}.queue (name) values ('${queue}')`], goes, act);
}

/** The only job has got another priority in such a transaction. */
function whileItIsRanked<Outcome>(rig: PostgresRig, act: () => Promise<Outcome>): Promise<Outcome> {
  const ranks = [
    `update ${rig.schema}.ready set priority = 1`,
    `insert into ${rig.schema}.act (number, act, at_ms, actor, priority)
      select number, 'reprioritise', 1, 'otto', 1 from ${rig.schema}.ready`,
  ];
  return whileItChanges(rig, [], ranks, act);
}

async function whileItChanges<Outcome>(
  rig: PostgresRig,
  before: readonly string[],
  changes: readonly string[],
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  const changer = new pg.Client({ connectionString: rig.url });
  await changer.connect();
  try {
    for (const text of [...before, 'begin', ...changes]) await changer.query(text);
    const acting = act();
    const waits = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%${rig.schema}.%'`;
    await expect.poll(async () => (await rig.query(waits)).length).toBeGreaterThan(0);
    await changer.query('commit');
    return await acting;
  } finally {
    await changer.end();
  }
}
