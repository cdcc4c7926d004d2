import { inSchema, STEP_ROWS } from '@holdfast/sql-store';
import pg from 'pg';
import { expect, it } from 'vitest';
import { PLANNER } from '../src/options.js';
import { EXPIRE_JOBS } from '../src/sql/act-on-jobs.js';
import { CLAIM } from '../src/sql/claim-jobs.js';
import { PROMOTE } from '../src/sql/sweep.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();
const JOBS = 5000;
const LIMIT = 10;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Shared Hit Blocks'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Most rows that one node of a plan handled. */
function mostRows({ Plans = [], ...node }: PlanNode): number {
  return Math.max(node['Actual Rows'] * node['Actual Loops'], ...Plans.map(mostRows));
}

/** Blocks that the scans of an index looked at, with those of its table. */
function blocksOf(node: PlanNode | undefined, index: string): number {
  if (node === undefined) return 0;
  const own = node['Index Name'] === index ? (node['Shared Hit Blocks'] ?? 0) : 0;
  return (node.Plans ?? []).reduce((sum, plan) => sum + blocksOf(plan, index), own);
}

for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
  it(`a claim touches what it takes and nothing else, however old the statistics are (${mode})`, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new PostgresRig(database.url, { sweepMs: 60_000 });
    const client = new pg.Client({ connectionString: rig.url });
    try {
      const store = await rig.open();
      await client.connect();
      await client.query(`${PLANNER}; set plan_cache_mode = ${mode}`);
      const text = inSchema(CLAIM, rig.schema);
      await client.query(`prepare claim(int4[], text[], int8, int8, text, int8, int8, int8) as ${text}`);
      const job = { queue: 'mail', name: 'send', payload: '{}' };
      await store.enqueue([{ ...job, queue: 'other' }]);
      await client.query(`analyze ${rig.schema}.ready, ${rig.schema}.job, ${rig.schema}.queue`);
      await store.enqueue(Array.from({ length: JOBS }, () => job));
      const [queue] = await rig.query<{ id: number }>(`select id from ${rig.schema}.queue where name = 'mail'`);
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) execute claim('{${queue?.id}}', '{send}', ${LIMIT}, 1000, 'worker', -1, 0, 0)`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      expect(plan && mostRows(plan), JSON.stringify(plan)).toBeLessThanOrEqual(2 * LIMIT);
    } finally {
      await client.end();
      await rig.close();
    }
  });
}

it('what is due is found and moved by indexes too', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url, { sweepMs: 60_000 });
  const client = new pg.Client({ connectionString: rig.url });
  try {
    const store = await rig.open();
    await store.enqueue(
      Array.from({ length: JOBS }, () => ({
        queue: 'mail',
        name: 'send',
        payload: '{}',
        delayMs: 60_000,
        expiresInMs: 120_000,
      })),
    );
    await client.connect();
    await client.query(`${PLANNER}; analyze ${rig.schema}.scheduled, ${rig.schema}.ready`);
    for (const [name, text, due] of [
      ['promote', PROMOTE, 'run_at_ms = 1'],
      ['expire', EXPIRE_JOBS, 'expires_at_ms = number'],
    ]) {
      await client.query(`begin; update ${rig.schema}.scheduled set ${due}`);
      await client.query(`prepare ${name} as ${inSchema(text ?? '', rig.schema)}`);
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) execute ${name}`,
      );
      await client.query('rollback');
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      expect(plan && mostRows(plan), JSON.stringify(plan)).toBeLessThanOrEqual(2 * STEP_ROWS);
    }
  } finally {
    await client.end();
    await rig.close();
  }
});

it('a claim that begins where the last one did passes no job that is gone, though none can be cleared away', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url, { sweepMs: 60_000 });
  const [client, reader] = [new pg.Client({ connectionString: rig.url }), new pg.Client({ connectionString: rig.url })];
  try {
    const store = await rig.open();
    await client.connect();
    await reader.connect();
    await reader.query('begin isolation level repeatable read');
    await reader.query('select 1 from pg_class limit 1');
    await store.enqueue(Array.from({ length: JOBS + LIMIT }, () => ({ queue: 'mail', name: 'send', payload: '{}' })));
    for (let left = JOBS; left > 0; left -= 1000) {
      await store.claim({ queues: ['mail'], limit: 1000, leaseMs: 60_000, worker: 'one' });
    }
    await client.query(PLANNER);
    await client.query(
      `prepare claim(int4[], text[], int8, int8, text, int8, int8, int8) as ${inSchema(CLAIM, rig.schema)}`,
    );
    const [place] = await rig.query<{ queue_id: number; priority: string; rank_ms: string; number: string }>(
      `select * from ${rig.schema}.ready order by priority, rank_ms, number limit 1`,
    );
    const blocks = async (...from: readonly unknown[]) => {
      await client.query('begin');
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, buffers, format json) execute claim('{${place?.queue_id}}', null, ${LIMIT}, 1000, 'worker', ${from})`,
      );
      await client.query('rollback');
      return blocksOf(rows[0]?.['QUERY PLAN'][0]?.Plan, 'ready_order');
    };
    const on = await blocks(place?.priority, place?.rank_ms, place?.number);
    expect(on).toBeGreaterThan(0);
    expect(on * 5).toBeLessThan(await blocks(-1, 0, 0));
  } finally {
    await reader.end();
    await client.end();
    await rig.close();
  }
});
