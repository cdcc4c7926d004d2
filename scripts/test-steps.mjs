// The steps of a test run. Each answers whether it passed; those that run tests answer with every test by name.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fromPlaywright } from '../tools/test-run/test-results.mjs';
import { localCommand, root, runCommand, runCommandIn } from './command.mjs';
import { findChromium } from './find-chromium.mjs';
import { build, install, installAside } from './workspace.mjs';

/** @typedef {import('../tools/test-run/plan.mjs').StepOutcome} StepOutcome */
/** @typedef {import('../tools/test-run/plan.mjs').Surroundings} Surroundings */
/** @typedef {import('../tools/test-run/test-servers.mjs').TestServers} TestServers */

/** They get a tenth of a processor beside tests that compute too, and all of it while those wait. */
const MUTANTS_NICENESS = 10;

/**
 * @param {readonly string[]} testArguments What to hand on to the runners: file filters and their own options.
 * @param {TestServers} servers Those that the step of this name finds, for the steps behind it.
 * @returns {import('../tools/test-run/plan.mjs').Step[]}
 */
export function testSteps(testArguments, servers) {
  return [
    { name: 'install', needs: [], run: () => passes(install) },
    // The first two wait for a registry and for servers, and the build leaves processors idle where packages need each other.
    { name: 'servers', needs: ['install'], isBeside: true, run: () => servers.find() },
    { name: 'prisma', needs: ['install'], after: ['servers'], isBeside: true, run: installPrisma },
    { name: 'lint', needs: ['install'], isBeside: true, run: lint },
    { name: 'build', needs: ['install'], run: () => passes(() => build()) },
    { name: 'typecheck', needs: ['install', 'build'], after: ['lint'], run: () => passes(typecheck) },
    // The first of these computes all the time; the two behind it mostly wait: for disks, for servers, and for processes.
    { name: 'mutants', needs: ['install', 'build'], isBeside: true, run: runMutants },
    {
      name: 'crash',
      needs: ['install', 'build'],
      after: ['servers'],
      isBeside: true,
      run: (surroundings) => runVitest('crash', ['--root', 'e2e', ...testArguments], servers, surroundings),
    },
    {
      name: 'unit',
      needs: ['install', 'build'],
      after: ['servers', 'prisma'],
      run: (surroundings) => runVitest('unit', testArguments, servers, surroundings),
    },
    // A browser needs all that it can get.
    {
      name: 'browser',
      needs: ['install', 'build'],
      after: ['servers', 'crash', 'unit'],
      run: () => runPlaywright(testArguments, servers),
    },
  ];
}

function typecheck() {
  return runCommand(
    localCommand('turbo', ['run', 'typecheck', '--continue=dependencies-successful', '--output-logs=errors-only']),
  );
}

/**
 * @param {Surroundings} surroundings
 * @returns {Promise<StepOutcome>}
 */
async function lint(surroundings) {
  const biome = await runCommandIn(localCommand('biome', ['check', '--error-on-warnings', '.']), surroundings);
  const knip = await runCommandIn(localCommand('knip', []), surroundings);
  const complaining = [...(biome === 0 ? [] : ['biome']), ...(knip === 0 ? [] : ['knip'])];
  return complaining.length === 0 ? { passed: true } : { passed: false, note: complaining.join(' and ') };
}

/**
 * Prisma is larger than all that the workspace needs for its other tests with libraries. Where it cannot be had, those with it are skipped.
 *
 * @returns {Promise<StepOutcome>}
 */
async function installPrisma() {
  const failure = await installAside('packages/store-trials/prisma');
  return failure === undefined ? { passed: true } : { passed: true, note: `no Prisma: ${failure}` };
}

/**
 * @param {string} name
 * @param {readonly string[]} options
 * @param {TestServers} servers
 * @param {Surroundings} surroundings
 */
function runVitest(name, options, servers, surroundings) {
  const reporter = join(root, 'tools', 'test-run', 'vitest-reporter.mjs');
  const file = emptyResultsFile(name);
  return testOutcome(
    file,
    runCommandIn(
      {
        ...localCommand('vitest', ['run', '--reporter=default', `--reporter=${reporter}`, ...options]),
        env: { ...servers.environment, TEST_RESULTS_FILE: file },
      },
      surroundings,
    ),
    (results) => results,
  );
}

/**
 * Each planted bug against the test that has to catch it.
 *
 * @param {Surroundings} surroundings
 */
function runMutants(surroundings) {
  const file = emptyResultsFile('mutants');
  const run = join(root, 'packages', 'core', 'test', 'mutants', 'run.mjs');
  return testOutcome(
    file,
    runCommandIn(
      {
        file: process.execPath,
        args: ['--enable-source-maps', run],
        env: { TEST_RESULTS_FILE: file },
        niceness: MUTANTS_NICENESS,
      },
      surroundings,
    ),
    (results) => results,
  );
}

/**
 * @param {readonly string[]} options
 * @param {TestServers} servers
 */
async function runPlaywright(options, servers) {
  const chromium = await findChromium();
  const file = emptyResultsFile('browser');
  return testOutcome(
    file,
    runCommand({
      ...localCommand('playwright', ['test', '--config', join('e2e', 'playwright.config.ts'), ...options], 'e2e'),
      env: { ...servers.environment, CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    }),
    fromPlaywright,
  );
}

/**
 * @template Report
 * @param {string} file
 * @param {Promise<number>} exitCode
 * @param {(report: Report) => import('../tools/test-run/test-results.mjs').TestResult[]} read
 * @returns {Promise<StepOutcome>}
 */
async function testOutcome(file, exitCode, read) {
  const code = await exitCode;
  if (!existsSync(file)) return { passed: false, note: `the runner ended with code ${code} and reported no tests` };
  const tests = read(JSON.parse(readFileSync(file, 'utf8')));
  return { passed: code === 0, tests };
}

/**
 * Where a runner reports its tests. The report of an earlier run is removed: nobody shall read it as this run's.
 *
 * @param {string} name
 */
function emptyResultsFile(name) {
  const file = join(root, '.test-results', `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

/**
 * @param {() => Promise<number>} command
 * @returns {Promise<StepOutcome>}
 */
async function passes(command) {
  const code = await command();
  return code === 0 ? { passed: true } : { passed: false, note: `exit code ${code}` };
}
