import process from 'node:process';
import { EvenRandom, TWIN_RETENTION, TwinLife, type TwinSubject } from '@holdfast/store-trials';
import { chooseSeed, type VirtualClock } from '@holdfast/testing';
import { expect, it } from 'vitest';
import { migrateMysqlStore } from '../src/index.js';
import { SqlText } from '../src/sql-text.js';
import { findTestDatabase, MysqlRig, NO_DATABASE } from './test-database.js';

/** HOLDFAST_SEED replays the first life of a run; HOLDFAST_RUNS makes more of them. */
const seed = chooseSeed();
const LIVES = Number(process.env.HOLDFAST_RUNS ?? 2);
const STEPS = 40;

const database = await findTestDatabase();

it(`the store on MySQL and MariaDB and the store in memory answer alike (seed ${seed}, ${LIVES} lives)`, {
  timeout: 60_000 * LIVES,
}, async (context) => {
  if (database === undefined) return context.skip(NO_DATABASE);
  for (let life = 0; life < LIVES; life++) await live(database.url, seed + life);
});

async function live(url: string, seedOfLife: number): Promise<void> {
  // The sweeps are made by hand.
  const rig = new MysqlRig(url, { retention: TWIN_RETENTION, session: false, sweepMs: 60_000, pollMs: 60_000 });
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
async function openOn(clock: VirtualClock, rig: MysqlRig): Promise<TwinSubject> {
  const { schema } = rig;
  await migrateMysqlStore({ connectionString: rig.url, schema });
  await rig.query(`create table ${schema}.virtual_clock (at_ms bigint not null)`);
  await rig.query(`insert into ${schema}.virtual_clock values (${clock.now()})`);
  const now = new SqlText('(select v.at_ms from hf.virtual_clock v)');
  const setTime = (nowMs: number) => rig.query(`update ${schema}.virtual_clock set at_ms = ?`, [nowMs]);
  const store = await rig.open({}, { now, random: new EvenRandom(2) });
  return { name: 'The store on MySQL and MariaDB', store, setTime };
}
