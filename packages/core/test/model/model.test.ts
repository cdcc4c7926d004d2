import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EngineLife } from './engine-life.js';
import { operation } from './operations.js';

/** HOLDFAST_SEED replays a run; a failure prints its seed and the shortest life that shows it. */
const given = process.env.HOLDFAST_SEED;
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
const RUNS = Number(process.env.HOLDFAST_RUNS ?? 400);

it(`lives as the naive model does (seed ${seed}, ${RUNS} lives)`, { timeout: 300_000 }, () => {
  let steps = 0;
  fc.assert(
    fc.property(fc.array(operation, { minLength: 5, maxLength: 60, size: 'max' }), (operations) => {
      const life = new EngineLife(seed);
      for (const one of operations) {
        life.step(one);
        steps++;
      }
    }),
    { seed, numRuns: RUNS },
  );
  expect(steps).toBeGreaterThan(RUNS);
});

it(`lives the same while segments are tiny and compaction never rests (seed ${seed}, ${RUNS} lives)`, {
  timeout: 300_000,
}, () => {
  const sum = { moved: 0, freed: 0 };
  fc.assert(
    fc.property(
      fc.array(operation, { minLength: 20, maxLength: 80, size: 'max' }),
      fc.constantFrom(300, 1000, 4000),
      (operations, segmentBytes) => {
        const life = new EngineLife(seed, { segmentBytes, compactionStepJobs: 1 });
        for (const one of operations) life.step(one);
        sum.moved += life.movedJobs;
        sum.freed += life.rig.engine.storage().compaction!.freedBytes;
      },
    ),
    { seed, numRuns: RUNS },
  );
  expect(sum.moved).toBeGreaterThan(RUNS);
  expect(sum.freed).toBeGreaterThan(RUNS * 100);
});
