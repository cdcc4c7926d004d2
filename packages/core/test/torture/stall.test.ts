import { expect, it } from 'vitest';
import { holdThroughStalls } from './rigs/stall.js';
import { chooseSeed } from './seeded.mjs';
import { shortRun } from './short-run.js';

const seed = chooseSeed();

it(`runs no job twice because its process was stopped or blocked (seed ${seed})`, { timeout: 300_000 }, async () => {
  const { problems } = await shortRun({ name: 'stall', run: holdThroughStalls }, seed, 3);
  expect(problems).toEqual([]);
});
