import { mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { MUTANTS } from './all-mutants.js';
import type { Mutant } from './mutant.js';
import { Trials } from './trial.js';
import { cleanProblem, survival } from './verdict.js';

const ROOT = resolve(import.meta.dirname, '../../../..');

/** The lives of random tests are those of continuous integration: the same mutants are caught each time. */
const SEED = '20261129';

interface Outcome {
  readonly mutant: Mutant;
  readonly seconds: number;
  /** What is wrong; `undefined` where the mutant was caught. */
  readonly problem: string | undefined;
}

/** @returns exit code: 0 all are caught, 1 not all are, 2 there is no such mutant */
export async function main(names: readonly string[]): Promise<number> {
  const unknown = names.filter((name) => !MUTANTS.some((mutant) => mutant.name === name));
  if (unknown.length > 0) {
    console.error(
      `There is no mutant ${unknown.join(', ')}. There are: ${MUTANTS.map(({ name }) => name).join(', ')}.`,
    );
    return 2;
  }
  process.env.HOLDFAST_SEED ??= SEED;
  const chosen = MUTANTS.filter(({ name }) => names.length === 0 || names.includes(name));
  const outcomes = await tryAll(chosen);
  report(outcomes);
  return outcomes.every(({ problem }) => problem === undefined) ? 0 : 1;
}

/** Mutants that the same file of tests catches are tried one after the other, files side by side. */
async function tryAll(mutants: readonly Mutant[]): Promise<Outcome[]> {
  console.log(row(mutants, ['mutant', 'seconds', 'mistake', 'caught by']));
  const files = byCatchingFile(mutants);
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let next = files.shift(); next !== undefined; next = files.shift())
      outcomes.push(...(await tryFile(next, (outcome) => console.log(rowOf(mutants, outcome)))));
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), files.length) }, lane));
  return outcomes;
}

/** The fullest files first, so that no lane is left alone with one of them at the end. */
function byCatchingFile(mutants: readonly Mutant[]): Mutant[][] {
  const files = new Map<string, Mutant[]>();
  for (const mutant of mutants) {
    const { file } = mutant.caughtBy;
    files.set(file, [...(files.get(file) ?? []), mutant]);
  }
  return [...files.values()].sort((one, other) => other.length - one.length);
}

/** @param mutants all of them caught by tests of one file, which first has to pass without any */
async function tryFile(mutants: readonly Mutant[], tried: (outcome: Outcome) => void): Promise<Outcome[]> {
  const tests = [...new Map(mutants.map(({ caughtBy }) => [JSON.stringify(caughtBy), caughtBy])).values()];
  const trials = await Trials.open(ROOT, [...new Set(tests.map(({ file }) => file))]);
  try {
    const clean = await trials.runClean(tests);
    const broken = new Map([...clean].map(([test, result]) => [JSON.stringify(test), cleanProblem(result)]));
    const outcomes: Outcome[] = [];
    for (const mutant of mutants) {
      const outcome = await tryOne(trials, mutant, broken.get(JSON.stringify(mutant.caughtBy)));
      tried(outcome);
      outcomes.push(outcome);
    }
    return outcomes;
  } finally {
    await trials.close();
  }
}

async function tryOne(trials: Trials, mutant: Mutant, brokenTest: string | undefined): Promise<Outcome> {
  const startMs = performance.now();
  const problem = brokenTest ?? survival(await trials.run(mutant.caughtBy, mutant));
  return { mutant, seconds: secondsSince(startMs), problem };
}

function report(outcomes: readonly Outcome[]): void {
  const failed = outcomes.filter(({ problem }) => problem !== undefined);
  for (const { mutant, problem } of failed) console.log(`\n${mutant.name}: ${problem}`);
  console.log(`\n${outcomes.length - failed.length} of ${outcomes.length} mutants caught`);
  const file = process.env.TEST_RESULTS_FILE;
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  const results = outcomes.map(({ mutant, seconds, problem }) => ({
    name: `mutants › ${mutant.name}: ${problem ?? mutant.mistake}`,
    outcome: problem === undefined ? 'passed' : 'failed',
    seconds,
  }));
  writeFileSync(file, JSON.stringify(results, null, 2));
}

function rowOf(mutants: readonly Mutant[], { mutant, seconds, problem }: Outcome): string {
  const { file, title } = mutant.caughtBy;
  const by = problem === undefined ? `${file} › ${title}` : `NOT CAUGHT by ${file} › ${title}`;
  return row(mutants, [mutant.name, seconds.toFixed(1), mutant.mistake, by]);
}

function row(mutants: readonly Mutant[], cells: readonly [string, string, string, string]): string {
  const nameWidth = Math.max(...mutants.map(({ name }) => name.length));
  const mistakeWidth = Math.max(...mutants.map(({ mistake }) => mistake.length));
  return `${cells[0].padEnd(nameWidth)}  ${cells[1].padStart(7)}  ${cells[2].padEnd(mistakeWidth)}  ${cells[3]}`;
}

function secondsSince(startMs: number): number {
  return (performance.now() - startMs) / 1000;
}
