import { inSchema } from '@holdfast/sql-store';
import mysql from 'mysql2/promise';
import { expect } from 'vitest';
import { REAL } from '../src/open-mysql-store.js';
import { boundValues } from '../src/rows.js';
import type { SqlText } from '../src/sql-text.js';
import { STEPS } from '../src/statements.js';
import { type MysqlRig, rigTests } from './test-database.js';

const JOB = { queue: 'mail', name: 'send', payload: '{}' };

const overRig = rigTests();

interface PlanRow {
  readonly select_type: string;
  readonly type: string;
  readonly Extra: string;
}

/** How the server would answer what is asked. Nothing is. */
async function planOf(
  rig: MysqlRig,
  ask: (rows: <Row>(query: SqlText) => Promise<Row[]>) => Promise<unknown>,
): Promise<PlanRow[]> {
  const connection = await mysql.createConnection({ uri: rig.url });
  const explained: PlanRow[] = [];
  try {
    await ask(async (query) => {
      const [plan] = await connection.query(`explain ${inSchema(query.text, rig.schema)}`, boundValues(query));
      explained.push(...(plan as PlanRow[]));
      return [];
    });
  } finally {
    await connection.end();
  }
  return explained;
}

overRig('a claim that looks whether there is anything to claim collects no jobs for that', async (rig) => {
  const store = await rig.open();
  await store.enqueue(Array.from({ length: 5000 }, () => JOB));
  const [queue] = await rig.query<{ id: number }>(`select id from ${rig.schema}.queue`);
  const explained = await planOf(rig, async (rows) =>
    STEPS.claim.isWorth?.({ ...REAL, rows }, [[queue?.id ?? 0], null, 10, 60_000, 'one']),
  );
  expect(explained.map(({ select_type }) => select_type)).not.toContain('MATERIALIZED');
  expect(explained.length).toBeGreaterThan(1);
});

overRig('a page goes through the jobs by an index, and sorts none, whatever tables are empty', async (rig) => {
  const store = await rig.open();
  await store.enqueue(Array.from({ length: 100 }, () => JOB));
  const [queue] = await rig.query<{ id: number }>(`select id from ${rig.schema}.queue`);
  const explained = await planOf(rig, async (rows) => {
    for (const place of [{}, { queueId: queue?.id ?? 0 }, { name: 'send' }]) {
      for (const below of [null, 50]) await STEPS.page.run({ ...REAL, rows }, [place, below, 20, false]);
    }
  });
  expect(explained.filter(({ type, Extra }) => type === 'ALL' || /filesort|temporary|join buffer/.test(Extra))).toEqual(
    [],
  );
  expect(explained.length).toBeGreaterThan(0);
});
