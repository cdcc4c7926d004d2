import process from 'node:process';
import { chooseSeed } from '@holdfast/testing';
import { expect, it } from 'vitest';
import { findTestDatabase, NO_DATABASE, PostgresRig } from './test-database.js';
import { TWIN_RETENTION, TwinLife } from './twin-life.js';

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
  const twins = await TwinLife.begin(rig, seedOfLife);
  try {
    for (let step = 0; step < STEPS; step++) await twins.step();
  } catch (error) {
    expect.fail(`seed ${seedOfLife}, after\n${twins.steps.join('\n')}\n${String(error)}`);
  } finally {
    await rig.close();
  }
}
