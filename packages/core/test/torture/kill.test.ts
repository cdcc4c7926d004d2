import { expect, it } from 'vitest';
import { kill } from './rigs/kill.js';
import { chooseSeed } from './seeded.mjs';
import { shortRun } from './short-run.js';

const seed = chooseSeed();
const ROUNDS = Number(process.env.HOLDFAST_RUNS ?? 25);

it(`keeps its promises to processes that are killed (seed ${seed}, ${ROUNDS} rounds)`, {
  timeout: 180_000,
}, async () => {
  const { figures, problems } = await shortRun(kill, seed, ROUNDS);
  expect(problems).toEqual([]);
  // Rough enough: most processes were killed at work, with jobs leased and calls on their way.
  expect(figures.unclean).toBeGreaterThan(ROUNDS / 2);
  expect(figures.acked).toBeGreaterThan(ROUNDS);
});
