import { expect, it } from 'vitest';
import type { ComparisonResults } from './comparison-results.js';
import { joinNodes } from './join-nodes.js';
import { someResults } from './some-results.js';

function run(node: string, at: string, names: readonly string[], jobsPerSecond: number): ComparisonResults {
  const results = someResults(node, jobsPerSecond);
  const [workload] = results.workloads;
  return { ...results, at, workloads: names.map((name) => ({ ...workload!, name })) };
}

it('joins the runs of a Node, and keeps Nodes apart', () => {
  const joined = joinNodes([
    run('v20.1.0', '2026-01-31T12:00:00.000Z', ['enqueue', 'drain'], 1000),
    run('v20.1.0', '2026-01-31T11:00:00.000Z', ['idle', 'enqueue'], 2000),
    run('v24.1.0', '2026-01-31T13:00:00.000Z', ['drain'], 3000),
  ]);
  expect(joined.map(({ node }) => node)).toEqual(['v20.1.0', 'v24.1.0']);
  const [first, second] = joined.map(({ workloads }) =>
    workloads.map(({ name, entrants }) => [name, entrants.other?.figures.jobsPerSecond?.median]),
  );
  expect(first).toEqual([
    ['enqueue', 1000],
    ['drain', 1000],
    ['idle', 2000],
  ]);
  expect(second).toEqual([['drain', 3000]]);
  expect(joined[0]?.missing).toHaveLength(1);
  expect(joined[0]?.problems).toHaveLength(2);
});
