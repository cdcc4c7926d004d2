import { type Fault, faultsOf, prove } from '@holdfast/store-trials';
import { chooseSeed } from '@holdfast/testing';
import { expect, it } from 'vitest';
import { findTestDatabase, NO_DATABASE, PostgresRig } from '../test-database.js';
import { proofRig } from './proof-rig.js';

const database = await findTestDatabase();
const seed = chooseSeed();

for (const fault of ['none', 'kill', 'terminate'] satisfies Fault[]) {
  it(`200 jobs and 3 processes, faults: ${fault} (seed ${seed})`, { timeout: 120_000 }, async (context) => {
    if (database === undefined) return context.skip(NO_DATABASE);
    const rig = new PostgresRig(database.url, { retention: { completed: { count: 1000 } } });
    const plan = { jobs: 200, workers: 3, fault, seed };
    try {
      const figures = await prove(proofRig(rig), plan);
      expect(faultsOf(plan, figures), JSON.stringify(figures)).toEqual([]);
    } finally {
      await rig.close();
    }
  });
}
