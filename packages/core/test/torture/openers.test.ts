import { expect, it } from 'vitest';
import { compete } from './rigs/open-competition.js';
import { race } from './rigs/openers.js';
import { chooseSeed } from './seeded.mjs';
import { shortRun } from './short-run.js';

const seed = chooseSeed();

it(`lets one of many racing processes and threads have the store (seed ${seed})`, { timeout: 300_000 }, async () => {
  const { figures, problems } = await shortRun({ name: 'openers', run: (settings) => race(settings, 6) }, seed, 5);
  expect(problems).toEqual([]);
  expect(figures).toMatchObject({ rounds: 5, refused: 25 });
});

it('never has two owners, however they come and go', { timeout: 300_000 }, async () => {
  const { figures, problems } = await shortRun({ name: 'openers', run: (settings) => compete(settings, 4) }, seed, 6);
  expect(problems).toEqual([]);
  expect(figures.owners).toBeGreaterThan(3);
});
