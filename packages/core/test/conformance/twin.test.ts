import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TwinLife } from './twin-life.js';
import { operation } from './twin-operations.js';

/** HOLDFAST_SEED replays a run; a failure prints its seed and the shortest life that shows it. */
const given = process.env.HOLDFAST_SEED;
const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given);
const RUNS = Number(process.env.HOLDFAST_RUNS ?? 200);

it(`the log store and the store in memory answer alike (seed ${seed}, ${RUNS} lives)`, {
  timeout: 300_000,
}, async () => {
  let steps = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40, size: 'max' }), async (operations) => {
      const life = await TwinLife.begin();
      for (const one of operations) {
        await life.step(one);
        steps++;
      }
      await life.end();
    }),
    { seed, numRuns: RUNS },
  );
  expect(steps).toBeGreaterThan(RUNS);
});
