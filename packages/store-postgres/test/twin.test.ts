import process from 'node:process';
import { TWIN_RETENTION, TwinLife, type TwinSubject } from '@holdfast/store-trials';
import { chooseSeed, type VirtualClock } from '@holdfast/testing';
import { expect, it } from 'vitest';
import { migratePostgresStore } from '../src/index.js';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';

/** HOLDFAST_SEED replays the first life of a run; HOLDFAST_RUNS makes more of them. */
const seed = chooseSeed();
const LIVES = Number(process.env.HOLDFAST_RUNS ?? 2);
const STEPS = 40;

const database = await findTestDatabase();

it(`the store on PostgreSQL and the store in memory answer alike (seed ${seed}, ${LIVES} lives)`, {
  timeout: 60_000 * LIVES,
}, async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  for (let life = 0; life < LIVES; life++) await live(database.url, seed + life);
});

async function live(url: string, seedOfLife: number): Promise<void> {
  // The sweeps are made by hand.
  const rig = new PostgresRig(url, { retention: TWIN_RETENTION, session: false, sweepMs: 60_000, pollMs: 60_000 });
  const twins = await TwinLife.begin((clock) => openOn(clock, rig), seedOfLife);
  try {
    for (let step = 0; step < STEPS; step++) await twins.step();
  } catch (error) {
    expect.fail(`seed ${seedOfLife}, after\n${twins.steps.join('\n')}\n${String(error)}`);
  } finally {
    await rig.close();
  }
}

/** The time is what a table says, and chance is even. */
async function openOn(clock: VirtualClock, rig: PostgresRig): Promise<TwinSubject> {
  const { schema } = rig;
  await migratePostgresStore({ connectionString: rig.url, schema });
  await rig.query(`
    create table if not exists ${schema}.virtual_clock (at_ms int8 not null);
    insert into ${schema}.virtual_clock values (${clock.now()});
    create or replace function ${schema}.now_ms() returns int8 language sql volatile
      as 'select at_ms from ${schema}.virtual_clock';
    create or replace function ${schema}.fraction() returns float8 language sql volatile as 'select 0.5::float8';`);
  const setTime = (nowMs: number) => rig.query(`update ${schema}.virtual_clock set at_ms = $1`, [nowMs]);
  return { name: 'The store on PostgreSQL', store: await rig.open(), setTime };
}
