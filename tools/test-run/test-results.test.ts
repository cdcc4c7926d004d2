import { expect, it } from 'vitest';
import { fromPlaywright, type PlaywrightTest, slowest } from './test-results.mjs';

function reportOf(test: PlaywrightTest, errors: { message?: string }[] = []) {
  const specs = [{ title: 'redrives', tests: [test] }];
  return { suites: [{ title: 'dead.spec.ts', suites: [{ title: 'dead jobs', specs }] }], errors };
}

it.each([
  ['expected', 'passed'],
  ['unexpected', 'failed'],
  // A test that passed only when tried again is a bug that has not been found yet.
  ['flaky', 'failed'],
] as const)('takes a test that Playwright calls %s for %s', (status, outcome) => {
  expect(fromPlaywright(reportOf({ status, annotations: [] }))).toMatchObject([
    { name: 'browser › dead.spec.ts › dead jobs › redrives', outcome },
  ]);
});

it('names the project that ran it', () => {
  expect(fromPlaywright(reportOf({ status: 'expected', annotations: [], projectName: 'postgres' }))[0]?.name).toBe(
    'browser › postgres › dead.spec.ts › dead jobs › redrives',
  );
});

it('keeps the reason of a skip', () => {
  const annotations = [{ type: 'skip', description: 'no clipboard here' }];
  expect(fromPlaywright(reportOf({ status: 'skipped', annotations }))[0]?.reason).toBe('no clipboard here');
});

it('leaves a skip without a reason without one', () => {
  expect(fromPlaywright(reportOf({ status: 'skipped', annotations: [{ type: 'skip' }] }))).toEqual([
    { name: 'browser › dead.spec.ts › dead jobs › redrives', outcome: 'skipped' },
  ]);
});

it('takes an error outside of any test for a failure, by its first line', () => {
  const report = { suites: [], errors: [{ message: 'Error: no tests found\n  at load' }] };
  expect(fromPlaywright(report)).toEqual([{ name: 'browser › Error: no tests found', outcome: 'failed' }]);
});

it('says how long a test of Playwright took', () => {
  const [result] = fromPlaywright(reportOf({ status: 'expected', annotations: [], results: [{ duration: 2500 }] }));
  expect(result?.seconds).toBe(2.5);
});

it('finds the slowest tests, and passes over those that did not run', () => {
  const tests = [1, 30, 2, undefined].map((seconds, index) => ({
    name: `test ${index}`,
    outcome: 'passed' as const,
    ...(seconds === undefined ? {} : { seconds }),
  }));
  expect(slowest(tests, 2)).toEqual([
    { name: 'test 1', seconds: 30 },
    { name: 'test 2', seconds: 2 },
  ]);
});
