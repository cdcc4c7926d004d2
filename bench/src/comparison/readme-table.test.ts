import { expect, it } from 'vitest';
import { readmeTable } from './readme-table.js';
import { someResults } from './some-results.js';

/** As if the other queue were one that the README names. */
function resultsWith(jobsPerSecond: number, rounds = 5) {
  const text = JSON.stringify(someResults('v20.1.0', jobsPerSecond)).replaceAll('"other"', '"pg-boss"');
  return { ...JSON.parse(text), rounds };
}

const rowsOf = (text: string) => text.split('\n').map((line) => line.replaceAll(/ +/g, ' '));

it('marks the best of a column, whoever it is', () => {
  const slower = rowsOf(readmeTable([resultsWith(1000)]));
  expect(slower).toContain('| Holdfast (holdfast 1.0) | **12,345** | – | – | – | – | – | every job |');
  expect(slower).toContain('| Other | 1,000 | – | – | – | – | – | nothing |');
  const faster = rowsOf(readmeTable([resultsWith(20_000)]));
  expect(faster).toContain('| Holdfast (holdfast 1.0) | 12,345 | – | – | – | – | – | every job |');
  expect(faster).toContain('| Other | **20,000** | – | – | – | – | – | nothing |');
});

it('names the command, the machine and the Node, and says so when the run was short', () => {
  expect(readmeTable([resultsWith(1000)])).toContain('`npm run bench:peers`: Node v20.1.0, 2026-01-31, commit abc1234');
  expect(readmeTable([resultsWith(1000)])).not.toContain('short run');
  expect(readmeTable([resultsWith(1000, 2)])).toContain('not to be judged by');
});
