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
  const chosen = module.project.config.testNamePattern;
  return [
    // A file that could not be loaded, and a suite whose hook failed, has no failed test of its own.
    ...(module.errors().length > 0 ? [failed(place)] : []),
    ...[...module.children.allSuites()]
      .filter((suite) => suite.errors().length > 0)
      .map((suite) => failed(`${place} › ${suite.fullName}`)),
    ...[...module.children.allTests()]
      // What was left out by its name was not skipped: nobody asked for it.
      .filter((test) => chosen === undefined || test.result().state !== 'skipped' || chosen.test(nameToMatch(test)))
      .map((test) => resultOf(test, place)),
  ];
}

/**
 * The name that Vitest itself matches `--testNamePattern` with: titles joined by spaces.
 *
 * @param {import('vitest/node').TestCase} test
 */
function nameToMatch(test) {
  return test.fullName.split(' > ').join(' ');
}

/**
 * @param {import('vitest/node').TestCase} test
 * @param {string} place
 * @returns {TestResult}
 */
function resultOf(test, place) {
  const name = `${place} › ${test.fullName}`;
  const result = test.result();
  if (result.state === 'passed') {
    return { name, outcome: 'passed', seconds: (test.diagnostic()?.duration ?? 0) / 1000 };
  }
  if (result.state === 'skipped') return skipped(name, result.note);
  // "pending" is a test that never got to run, because the run was cut short.
  return failed(name);
}
