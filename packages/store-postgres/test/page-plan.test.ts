import { inSchema } from '@holdfast/sql-store';
import pg from 'pg';
import { expect, it } from 'vitest';
import { PLANNER } from '../src/options.js';
import { pageText } from '../src/sql/read-jobs.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

const database = await findTestDatabase();
const JOBS = 20_000;
const LIMIT = 20;
/** Jobs of a queue in a state are counted up to this number. */
const COUNTED = 2001;

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Most rows that one node of a plan looked at. */
function mostRows({ Plans = [], ...node }: PlanNode): number {
  const own = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  return Math.max(own, ...Plans.map(mostRows));
}

for (const [name, statistics] of [
  ['that were collected when there was one job', 'before'],
  ['that are new', 'after'],
] as const) {
  it(`a page looks at about as many jobs as it shows, with statistics ${name}`, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new PostgresRig(database.url, { sweepMs: 60_000 });
    const client = new pg.Client({ connectionString: rig.url });
    try {
      const store = await rig.open();
      await client.connect();
      await client.query(PLANNER);
      const tables = ['ready', 'scheduled', 'lease', 'ended', 'job', 'queue'].map((table) => `${rig.schema}.${table}`);
      const analyze = () => client.query(`analyze ${tables.join(', ')}`);
      const job = { queue: 'mail', name: 'send', payload: '{}' };
      await store.enqueue([{ ...job, queue: 'other' }, job]);
      if (statistics === 'before') await analyze();
      for (let left = JOBS; left > 0; left -= 5000) await store.enqueue(Array.from({ length: 5000 }, () => job));
      if (statistics === 'after') await analyze();
      const [queue] = await rig.query<{ id: number }>(`select id from ${rig.schema}.queue where name = 'mail'`);
      for (const place of [
        {},
        { state: 'ready' as const },
        { queueId: queue?.id ?? 0 },
        { state: 'ready' as const, queueId: queue?.id ?? 0 },
        { state: 'ready' as const, name: 'send' },
      ]) {
        for (const below of [null, JOBS / 2]) {
          const { text, values } = pageText(place, { below, limit: LIMIT, withPayload: false });
          const { rows } = await client.query<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(
            `explain (analyze, format json) ${inSchema(text, rig.schema)}`,
            values,
          );
          const plan = rows[0]?.['QUERY PLAN'][0]?.Plan;
          expect(plan && mostRows(plan), JSON.stringify([place, below, plan])).toBeLessThanOrEqual(COUNTED);
        }
      }
    } finally {
      await client.end();
      await rig.close();
    }
  });
}

it('a page of a small queue looks at the jobs of that queue alone', async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  const rig = new PostgresRig(database.url, { sweepMs: 60_000 });
  try {
    const store = await rig.open();
    const job = { queue: 'mail', name: 'send', payload: '{}' };
    const small = await store.enqueue(Array.from({ length: 30 }, () => ({ ...job, queue: 'small' })));
    for (let left = JOBS; left > 0; left -= 5000) await store.enqueue(Array.from({ length: 5000 }, () => job));
    const filter = { state: 'ready', queue: 'small' } as const;
    const first = await store.browse(filter, { limit: LIMIT });
    const second = await store.browse(filter, { limit: LIMIT, cursor: first.next ?? '' });
    expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(small.map(({ id }) => id).reverse());
    const pages = { state: 'ready', queue: 'mail' } as const;
    const [one] = (await store.browse(pages, { limit: 1 })).rows;
    const next = await store.browse(pages, { limit: 2, cursor: one?.id ?? '' });
    expect(next.rows).toHaveLength(2);
    expect(next.rows.every(({ queue, id }) => queue === 'mail' && id !== one?.id)).toBe(true);
  } finally {
    await rig.close();
  }
});
