// One shape for the result of a test, whichever runner ran it.

/**
 * @typedef {object} TestResult
 * @property {string} name Project, file and titles: enough to find the test.
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {string} [reason] Why it was skipped.
 * @property {number} [seconds] How long it took, where it ran.
 */

/**
 * The part of Playwright's JSON report that is read here.
 *
 * @typedef {object} PlaywrightReport
 * @property {PlaywrightSuite[]} suites
 * @property {{ message?: string }[]} errors What went wrong outside of any test.
 *
 * @typedef {object} PlaywrightSuite
 * @property {string} title
 * @property {string} [file]
 * @property {PlaywrightSuite[]} [suites]
 * @property {PlaywrightSpec[]} [specs]
 *
 * @typedef {object} PlaywrightSpec
 * @property {string} title
 * @property {PlaywrightTest[]} tests
 *
 * @typedef {object} PlaywrightTest
 * @property {string} [projectName]
 * @property {'expected' | 'unexpected' | 'flaky' | 'skipped'} status
 * @property {{ type: string, description?: string }[]} annotations
 * @property {{ duration: number }[]} [results] Milliseconds, of each time that it was tried.
 */

/**
 * @param {PlaywrightReport} report
 * @returns {TestResult[]}
 */
export function fromPlaywright(report) {
  return [
    ...report.suites.flatMap((suite) => fromPlaywrightSuite(suite, ['browser'])),
    ...report.errors.map(({ message }) => failed(`browser › ${firstLine(message ?? 'error outside of a test')}`)),
  ];
}

/**
 * @param {PlaywrightSuite} suite
 * @param {readonly string[]} path
 * @returns {TestResult[]}
 */
function fromPlaywrightSuite(suite, path) {
  const here = [...path, suite.title];
  return [
    ...(suite.specs ?? []).flatMap((spec) => spec.tests.map((test) => fromPlaywrightTest(test, [...here, spec.title]))),
    ...(suite.suites ?? []).flatMap((inner) => fromPlaywrightSuite(inner, here)),
  ];
}

/**
 * @param {PlaywrightTest} test
 * @param {readonly string[]} path
 * @returns {TestResult}
 */
function fromPlaywrightTest(test, path) {
  const [runner, ...titles] = path;
  const name = [runner, ...(test.projectName ? [test.projectName] : []), ...titles].join(' › ');
  const milliseconds = (test.results ?? []).reduce((sum, { duration }) => sum + duration, 0);
  if (test.status === 'expected') return { name, outcome: 'passed', seconds: milliseconds / 1000 };
  if (test.status !== 'skipped') return failed(name);
  const skip = test.annotations.find(({ type }) => type === 'skip' || type === 'fixme');
  return skipped(name, skip?.description);
}

/**
 * @param {string} name
 * @returns {TestResult}
 */
export function failed(name) {
  return { name, outcome: 'failed' };
}

/**
 * @param {string} name
 * @param {string | undefined} reason
 * @returns {TestResult}
 */
export function skipped(name, reason) {
  return reason === undefined || reason.trim() === ''
    ? { name, outcome: 'skipped' }
    : { name, outcome: 'skipped', reason };
}

/**
 * The tests that took longest, first the slowest.
 *
 * @param {readonly TestResult[]} tests
 * @param {number} count
 * @returns {{ readonly name: string, readonly seconds: number }[]}
 */
export function slowest(tests, count) {
  return tests
    .flatMap(({ name, seconds }) => (seconds === undefined ? [] : [{ name, seconds }]))
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count);
}

/** @param {string} text */
function firstLine(text) {
  return text.split('\n', 1)[0] ?? '';
}
