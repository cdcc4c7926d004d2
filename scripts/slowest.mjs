// node scripts/slowest.mjs [how many]: the slowest tests of the last run of each step.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromPlaywright, slowest } from '../tools/test-run/test-results.mjs';
import { root } from './command.mjs';

/**
 * @param {string} step
 * @returns {import('../tools/test-run/test-results.mjs').TestResult[]} None where it has not run.
 */
function resultsOf(step) {
  const file = join(root, '.test-results', `${step}.json`);
  if (!existsSync(file)) return [];
  const results = JSON.parse(readFileSync(file, 'utf8'));
  return step === 'browser' ? fromPlaywright(results) : results;
}

const tests = ['unit', 'mutants', 'crash', 'browser'].flatMap(resultsOf);
for (const { name, seconds } of slowest(tests, Number(process.argv[2] ?? 40))) {
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
