import { describe, expect, it } from 'vitest';
import type { StepResult } from './plan.mjs';
import { failures, formatSummary } from './summary.mjs';
import { failed, skipped } from './test-results.mjs';

const passed = { name: 'core › heap', outcome: 'passed' } as const;

describe('formatSummary', () => {
  it('shows each step, names skips and failures, and ends with the counts alone on a line', () => {
    const results: StepResult[] = [
      { name: 'build', status: 'passed', seconds: 12.34 },
      {
        name: 'unit',
        status: 'failed',
        seconds: 3,
        tests: [passed, failed('core › log › cuts a torn tail'), skipped('core › lock', 'needs two users')],
      },
      { name: 'browser', status: 'not run', seconds: 0, note: 'build failed' },
    ];
    expect(formatSummary(results)).toBe(`
Step     Status   Seconds  Result
build    passed      12.3
unit     failed       3.0  1 passed, 1 failed, 1 skipped
browser  not run           build failed

Skipped:
  core › lock: needs two users

Failed:
  core › log › cuts a torn tail

1 passed, 1 failed, 1 skipped`);
  });

  it('says no more than the table and the counts when all is well', () => {
    expect(formatSummary([{ name: 'unit', status: 'passed', seconds: 1, tests: [passed] }])).toBe(`
Step  Status  Seconds  Result
unit  passed      1.0  1 passed, 0 failed, 0 skipped

1 passed, 0 failed, 0 skipped`);
  });

  it('counts no tests where no step ran any, unless it failed', () => {
    expect(formatSummary([{ name: 'build', status: 'passed', seconds: 1 }])).toBe(`
Step   Status  Seconds  Result
build  passed      1.0`);
    const failing = formatSummary([
      { name: 'build', status: 'failed', seconds: 1 },
      { name: 'unit', status: 'not run', seconds: 0, note: 'build failed' },
    ]);
    expect(failing).toMatch(/\n0 passed, 1 failed, 0 skipped$/);
  });
});

describe('failures', () => {
  it('has none when all is well', () => {
    const tests = [passed, skipped('core › lock', 'needs two users')];
    expect(failures([{ name: 'unit', status: 'passed', seconds: 1, tests }])).toEqual([]);
  });

  it('takes a skip without a reason for a failure', () => {
    const tests = [passed, skipped('core › lock', '  ')];
    expect(failures([{ name: 'unit', status: 'passed', seconds: 1, tests }])).toEqual([
      'core › lock (skipped without a reason)',
    ]);
  });

  it('counts a step that failed with no failed test to show, such as a build or a runner that died', () => {
    expect(
      failures([
        { name: 'build', status: 'failed', seconds: 1, note: 'exit code 2' },
        { name: 'unit', status: 'failed', seconds: 1, tests: [passed] },
      ]),
    ).toEqual(['the step build: exit code 2', 'the step unit']);
  });

  it('does not count a step twice that its failed tests explain', () => {
    expect(failures([{ name: 'unit', status: 'failed', seconds: 1, tests: [failed('core › heap')] }])).toEqual([
      'core › heap',
    ]);
  });
});
