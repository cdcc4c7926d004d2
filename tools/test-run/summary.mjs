// The words that a run ends with.

/**
 * @typedef {import('./plan.mjs').StepResult} StepResult
 * @typedef {import('./test-results.mjs').TestResult} TestResult
 */

/**
 * What failed, by name. A step that failed without a failed test to show for it (a build, a runner that died) counts
 * as one failure of its own, and so does a skip that gives no reason: a run with a problem never says "0 failed".
 *
 * @param {readonly StepResult[]} results
 * @returns {string[]}
 */
export function failures(results) {
  return results.flatMap((result) => {
    const tests = result.tests ?? [];
    const named = [
      ...tests.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name),
      ...tests.filter(isUnexplainedSkip).map(({ name }) => `${name} (skipped without a reason)`),
    ];
    if (named.length > 0 || result.status !== 'failed') return named;
    return [`the step ${result.name}${result.note === undefined ? '' : `: ${result.note}`}`];
  });
}

/**
 * The counts come last. A run that only builds or checks has none, unless it failed.
 *
 * @param {readonly StepResult[]} results
 * @returns {string}
 */
export function formatSummary(results) {
  const tests = results.flatMap((result) => result.tests ?? []);
  const passed = tests.filter(({ outcome }) => outcome === 'passed').length;
  const skippedTests = tests.filter((test) => test.outcome === 'skipped' && !isUnexplainedSkip(test));
  const failed = failures(results);
  const ranTests = results.some((result) => result.tests !== undefined);
  return [
    '',
    ...table(results),
    ...section(
      'Skipped:',
      skippedTests.map(({ name, reason }) => `${name}: ${reason}`),
    ),
    ...section('Failed:', failed),
    ...(ranTests || failed.length > 0
      ? ['', `${passed} passed, ${failed.length} failed, ${skippedTests.length} skipped`]
      : []),
  ].join('\n');
}

/** @param {TestResult} test */
function isUnexplainedSkip(test) {
  return test.outcome === 'skipped' && test.reason === undefined;
}

/**
 * @param {readonly StepResult[]} results
 * @returns {string[]}
 */
function table(results) {
  const rows = [['Step', 'Status', 'Seconds', 'Result'], ...results.map(row)];
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  return rows.map((cells) =>
    cells
      .map((cell, column) => (column === 2 ? cell.padStart(widths[2] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/**
 * @param {StepResult} result
 * @returns {string[]}
 */
function row({ name, status, seconds, note, tests }) {
  const counts = tests === undefined ? undefined : testCounts(tests);
  const detail = [counts, note].filter((part) => part !== undefined).join('; ');
  return [name, status, status === 'not run' ? '' : seconds.toFixed(1), detail];
}

/** @param {readonly TestResult[]} tests */
function testCounts(tests) {
  const count = (/** @type {TestResult['outcome']} */ wanted) =>
    tests.filter(({ outcome }) => outcome === wanted).length;
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`;
}

/**
 * @param {string} title
 * @param {readonly string[]} lines
 * @returns {string[]}
 */
function section(title, lines) {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}
