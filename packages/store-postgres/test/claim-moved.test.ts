import pg from 'pg';
import { expect } from 'vitest';
import { rigTests } from './test-database.js';

const GATE = 7_340_011;
const it = rigTests({ sweepMs: 60_000 });

// A claim takes its snapshot, then the time, then rows: at a gate in the time it stands still between the first and the last.
it('jobs that are moved or removed between the look of a claim and its lock are in one place afterwards', async (rig) => {
  const store = await rig.open();
  const job = { queue: 'mail', name: 'send', payload: '{}', priority: 10 };
  await store.enqueue([job, job, job, job]);
  const gate = new pg.Client({ connectionString: rig.url });
  await gate.connect();
  try {
    await gate.query('select pg_advisory_lock($1)', [GATE]);
    await gate.query(`
      create or replace function ${rig.schema}.now_ms() returns int8 language plpgsql volatile as $$
      begin
        perform pg_advisory_xact_lock_shared(${GATE});
        return floor(extract(epoch from clock_timestamp()) * 1000)::int8;
      end $$`);
    const claiming = store.claim({ queues: ['mail'], limit: 3, leaseMs: 60_000, worker: 'one' });
    // The store asks for the time in other statements, too.
    const waits = `select 1 from pg_locks join pg_stat_activity using (pid)
      where locktype = 'advisory' and objid = ${GATE} and not granted and query like '%picked as materialized%'`;
    await expect.poll(async () => (await gate.query(waits)).rows.length).toBe(1);
    const { rows } = await gate.query<{ number: string }>(`select number from ${rig.schema}.ready order by number`);
    const [later, gone] = rows;
    await gate.query(`update ${rig.schema}.ready set priority = 20 where number = $1`, [later?.number]);
    await gate.query(`delete from ${rig.schema}.ready where number = $1`, [gone?.number]);
    await gate.query('select pg_advisory_unlock($1)', [GATE]);
    const claimed = await claiming;
    const places = await rig.query<{ number: string; place: string }>(`
      select number, 'ready' as place from ${rig.schema}.ready
      union all select number, 'lease' from ${rig.schema}.lease order by number`);
    expect(new Set(places.map(({ number }) => number)).size).toBe(places.length);
    expect(places.map(({ number }) => number)).not.toContain(gone?.number);
    expect(places).toHaveLength(3);
    expect(places.filter(({ place }) => place === 'lease')).toHaveLength(claimed.length);
    expect(claimed.length).toBeGreaterThanOrEqual(2);
  } finally {
    await gate.end();
  }
});
