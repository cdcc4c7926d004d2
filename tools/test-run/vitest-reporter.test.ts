import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { TestResult } from './test-results.mjs';

const root = join(import.meta.dirname, '..', '..');
const ignored = join(root, '.test-results');
mkdirSync(ignored, { recursive: true });
const folder = mkdtempSync(join(ignored, 'reporter-'));
// Keeps Vitest from taking the configuration of the folders above.
writeFileSync(join(folder, 'vitest.config.js'), 'export default {};\n');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a test file of its own through Vitest and answers what the reporter wrote, each name from its file on. */
function report(source: string, ...options: string[]): TestResult[] {
  const results = join(folder, 'results.json');
  const imports = "import { beforeAll, describe, expect, it } from 'vitest';\n";
  writeFileSync(join(folder, 'sample.test.ts'), imports + source);
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporter = `--reporter=${join(import.meta.dirname, 'vitest-reporter.mjs')}`;
  spawnSync(process.execPath, [vitest, 'run', '--root', folder, reporter, ...options], {
    env: { ...process.env, TEST_RESULTS_FILE: results },
  });
  const written: TestResult[] = JSON.parse(readFileSync(results, 'utf8'));
  return written.map((result) => ({ ...result, name: result.name.slice(result.name.indexOf('sample.test.ts')) }));
}

it('tells passed, failed and skipped tests apart, and keeps the reason of a skip', () => {
  const source = `
    describe('heap', () => {
      it('passes', () => {});
      it('fails', () => expect(1).toBe(2));
    });
    it('explains', (context) => context.skip('needs two users'));
    it.skip('is silent', () => {});
    it.todo('is planned');`;
  const seconds = expect.any(Number);
  expect(report(source)).toEqual([
    { name: 'sample.test.ts › heap > passes', outcome: 'passed', seconds },
    { name: 'sample.test.ts › heap > fails', outcome: 'failed' },
    { name: 'sample.test.ts › explains', outcome: 'skipped', reason: 'needs two users' },
    { name: 'sample.test.ts › is silent', outcome: 'skipped' },
    { name: 'sample.test.ts › is planned', outcome: 'skipped' },
  ]);
});

it('leaves out the tests that a name on the command line did not choose', () => {
  const source = `
    describe('heap', () => { it('pops', () => {}); it('pushes', () => {}); });
    it.skip('pops later', () => {});`;
  expect(report(source, '--testNamePattern', 'pops')).toEqual([
    { name: 'sample.test.ts › heap > pops', outcome: 'passed', seconds: expect.any(Number) },
    { name: 'sample.test.ts › pops later', outcome: 'skipped' },
  ]);
});

it('takes a file that cannot be loaded for a failure', () => {
  expect(report(`throw new Error('no');`)).toEqual([{ name: 'sample.test.ts', outcome: 'failed' }]);
});

it('takes a suite whose hook failed for a failure, beside its tests that never ran', () => {
  const source = `describe('heap', () => { beforeAll(() => { throw new Error('no'); }); it('pops', () => {}); });`;
  const failures = report(source).filter(({ outcome }) => outcome === 'failed');
  expect(failures).toEqual([{ name: 'sample.test.ts › heap', outcome: 'failed' }]);
});

it('counts an error outside of any test', () => {
  const source = `it('passes', () => { Promise.reject(new Error('nobody waits')); });`;
  expect(report(source).map(({ outcome }) => outcome)).toEqual(['passed', 'failed']);
});
