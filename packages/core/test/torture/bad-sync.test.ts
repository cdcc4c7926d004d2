import { expect, it } from 'vitest';
import { findProgram } from './machine/command.js';
import { failInjected } from './rigs/bad-sync.js';
import { chooseSeed } from './seeded.mjs';
import { shortRun } from './short-run.js';

const seed = chooseSeed();

it(`believes no sync after one has failed (seed ${seed})`, { timeout: 300_000 }, async (context) => {
  context.skip(process.platform !== 'linux', 'the failing fdatasync is preloaded by LD_PRELOAD, which is for Linux');
  context.skip(findProgram('cc') === undefined, 'the failing fdatasync is written in C and there is no compiler');
  const { figures, problems } = await shortRun({ name: 'badsync', run: failInjected }, seed, 6);
  expect(problems).toEqual([]);
  expect(Number(figures.failed) + Number(figures.atOpen)).toBeGreaterThan(0);
});
