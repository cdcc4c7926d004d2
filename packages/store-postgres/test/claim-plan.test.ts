import pg from 'pg';
import { expect, it } from 'vitest';
import { PLANNER } from '../src/options.js';
import { CLAIM } from '../src/sql/claim-jobs.js';
import { inSchema } from '../src/statement.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();
const JOBS = 5000;
const LIMIT = 10;

interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly Plans?: readonly PlanNode[];
}

/** Most rows that one node of a plan handled. */
function mostRows({ Plans = [], ...node }: PlanNode): number {
  return Math.max(node['Actual Rows'] * node['Actual Loops'], ...Plans.map(mostRows));
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
      await client.query(`prepare claim(int4[], text[], int8, int8, text) as ${text}`);
      const job = { queue: 'mail', name: 'send', payload: '{}' };
      await store.enqueue([{ ...job, queue: 'other' }]);
      await client.query(`analyze ${rig.schema}.ready, ${rig.schema}.job, ${rig.schema}.queue`);
      await store.enqueue(Array.from({ length: JOBS }, () => job));
      const [queue] = await rig.query<{ id: number }>(`select id from ${rig.schema}.queue where name = 'mail'`);
      const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
        `explain (analyze, format json) execute claim('{${queue?.id}}', '{send}', ${LIMIT}, 1000, 'worker')`,
      );
      const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
      expect(plan && mostRows(plan), JSON.stringify(plan)).toBeLessThanOrEqual(2 * LIMIT);
    } finally {
      await client.end();
      await rig.close();
    }
  });
}
