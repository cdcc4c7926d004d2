import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { BenchCase } from './bench-case.js';
import type { BenchResults } from './results.js';
import { describeRun } from './results.js';
import { runRounds, writeResults } from './rounds.js';

function benchCase(name: string): BenchCase {
  return {
    name,
    title: name,
    peers: ['holdfast'],
    jobs: 10,
    goals: [],
    run: () => Promise.reject(new Error('not run here')),
  };
}

it('keeps what was measured in a run that is ended in its third round', () => {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-rounds-'));
  const file = join(directory, 'new', 'results.json');
  const order: string[] = [];
  const plan = {
    cases: [benchCase('one'), benchCase('other')],
    rounds: 5,
    jobsOf: ({ jobs }: BenchCase) => jobs * 2,
    run: ({ name }: BenchCase, jobs: number, round: number) => {
      order.push(`${round} ${name} ${jobs}`);
      if (round === 3 && name === 'other') throw new Error('ended');
      return { holdfast: { jobsPerSecond: round * 100 } };
    },
    ended: (round: number, cases: BenchResults['cases']) =>
      writeResults(file, describeRun('npm run bench', round, 5, undefined, cases)),
  };
  expect(() => runRounds(plan)).toThrow('ended');
  const results = JSON.parse(readFileSync(file, 'utf8')) as BenchResults;
  expect(results).toMatchObject({ rounds: 2, roundsWanted: 5 });
  expect(results.cases.map(({ name, peers }) => [name, peers.holdfast?.jobsPerSecond])).toEqual([
    ['one', { median: 150, least: 100, most: 200 }],
    ['other', { median: 150, least: 100, most: 200 }],
  ]);
  expect(readdirSync(join(directory, 'new'))).toEqual(['results.json']);
  expect(order).toEqual(['1 one 20', '1 other 20', '2 one 20', '2 other 20', '3 one 20', '3 other 20']);
  rmSync(directory, { recursive: true });
});
