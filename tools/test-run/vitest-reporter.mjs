// Writes what Vitest ran to the file that TEST_RESULTS_FILE names. Vitest's own JSON reporter leaves out the note of
// `context.skip(note)`, and the note is the reason that every skip owes.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { failed, skipped } from './test-results.mjs';

/** @typedef {import('./test-results.mjs').TestResult} TestResult */

export default class ResultsFileReporter {
  /**
   * @param {readonly import('vitest/node').TestModule[]} modules
   * @param {readonly import('vitest').SerializedError[]} unhandledErrors
   */
  onTestRunEnd(modules, unhandledErrors) {
    const file = process.env.TEST_RESULTS_FILE;
    if (file === undefined) return;
    const results = [
      ...modules.flatMap(resultsOf),
      ...unhandledErrors.map(({ message }) => failed(`error outside of a test: ${message}`)),
    ];
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(results, null, 2));
  }
}

/**
 * @param {import('vitest/node').TestModule} module
 * @returns {TestResult[]}
 */
function resultsOf(module) {
  const place = `${module.project.name} › ${relative(process.cwd(), module.moduleId)}`;
  // A file that could not be loaded, or a suite whose hook failed, has no failed test of its own.
  const broken = [module, ...module.children.allSuites()].filter((suite) => suite.errors().length > 0);
  return [
    ...broken.map((suite) =>
      failed(suite === module ? place : `${place} › ${'fullName' in suite ? suite.fullName : ''}`),
    ),
    ...[...module.children.allTests()].map((test) => resultOf(test, place)),
  ];
}

/**
 * @param {import('vitest/node').TestCase} test
 * @param {string} place
 * @returns {TestResult}
 */
function resultOf(test, place) {
  const name = `${place} › ${test.fullName}`;
  const result = test.result();
  if (result.state === 'passed') return { name, outcome: 'passed' };
  if (result.state === 'failed') return failed(name);
  // "pending" is a test that never got to run, because the run was cut short.
  return result.state === 'skipped' ? skipped(name, result.note) : failed(name);
}
