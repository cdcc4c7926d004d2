import { join } from 'node:path';
import { createVitest, escapeTestName, type TestCase, type TestModule, type Vitest } from 'vitest/node';
import type { CatchingTest, Mutant } from './mutant.js';
import { plantedBug } from './planted-bug.js';
import { NOT_LOADED } from './verdict.js';

/** What became of the tests of one title. */
export interface TrialResult {
  readonly passed: number;
  readonly problems: readonly Problem[];
}

export interface Problem {
  /** Class of what was thrown. */
  readonly kind: string;
  /** The first line of its message. */
  readonly says: string;
}

/** A mutant that makes a loop endless ends by this, and not with the memory of the machine. */
const HEAP_MIB_MAX = 1024;
/** The random tests are long on a busy machine, and a whole run of the tests leaves these only what others do not need. */
const TEST_MS_MAX = 600_000;

/** Runs single tests, with or without a mistake in the code that they test. */
export class Trials {
  readonly #root: string;
  readonly #vitest: Vitest;
  readonly #plant: (mutant: Mutant | undefined) => void;

  private constructor(root: string, vitest: Vitest, plant: (mutant: Mutant | undefined) => void) {
    this.#root = root;
    this.#vitest = vitest;
    this.#plant = plant;
  }

  static async open(root: string, files: readonly string[]): Promise<Trials> {
    let planted: Mutant | undefined;
    const vitest = await createVitest(
      'test',
      {
        root,
        config: false,
        watch: false,
        include: [...files],
        testTimeout: TEST_MS_MAX,
        execArgv: [`--max-old-space-size=${HEAP_MIB_MAX}`, '--no-warnings'],
        // What fails here is meant to fail; whoever runs the trials says what is of interest.
        reporters: [{}],
        silent: true,
        maxWorkers: 1,
      },
      { plugins: [plantedBug(() => planted)] },
    );
    await vitest.standalone();
    return new Trials(root, vitest, (mutant) => {
      planted = mutant;
    });
  }

  /** Runs tests as they are, each file once. */
  async runClean(tests: readonly CatchingTest[]): Promise<Map<CatchingTest, TrialResult>> {
    const modules = await this.#run(tests);
    return new Map(tests.map((test) => [test, resultOf(test, modules.get(test.file))]));
  }

  /** Runs one test on a source with a mistake. */
  async run(test: CatchingTest, mutant: Mutant): Promise<TrialResult> {
    const file = join(this.#root, mutant.file);
    this.#plant(mutant);
    this.#vitest.invalidateFile(file);
    try {
      return resultOf(test, (await this.#run([test])).get(test.file));
    } finally {
      this.#plant(undefined);
      this.#vitest.invalidateFile(file);
    }
  }

  async close(): Promise<void> {
    await this.#vitest.close();
  }

  async #run(tests: readonly CatchingTest[]): Promise<ReadonlyMap<string, TestModule>> {
    const project = this.#vitest.getRootProject();
    const files = [...new Set(tests.map(({ file }) => file))];
    const specifications = files.map((file) => {
      const patterns = tests.filter((test) => test.file === file).map((test) => namePattern(test).source);
      return project.createSpecification(join(this.#root, file), { testNamePattern: new RegExp(patterns.join('|')) });
    });
    // Those of former runs are told again.
    const { testModules } = await this.#vitest.runTestSpecifications(specifications);
    return new Map(
      files.flatMap((file) => {
        const found = testModules.find(({ moduleId }) => moduleId === join(this.#root, file));
        return found === undefined ? [] : [[file, found]];
      }),
    );
  }
}

/** Vitest matches the names of suites and test, joined by spaces. */
function namePattern({ within = '', title }: CatchingTest): RegExp {
  return new RegExp(`${escapeTestName(within, false)}.*${escapeTestName(title, false)}`);
}

function resultOf(test: CatchingTest, module: TestModule | undefined): TrialResult {
  if (module === undefined)
    return { passed: 0, problems: [{ kind: 'Error', says: 'the file of the test is missing' }] };
  const pattern = namePattern(test);
  const tests = [...module.children.allTests()].filter(({ fullName }) => pattern.test(fullName.replaceAll(' > ', ' ')));
  return {
    passed: tests.filter((one) => one.result().state === 'passed').length,
    problems: [
      ...tests.flatMap(problemsOf),
      ...module.errors().map(({ message }) => problemOf({ name: NOT_LOADED, message })),
    ],
  };
}

function problemsOf(test: TestCase): Problem[] {
  return (test.result().errors ?? []).map(problemOf);
}

function problemOf({ name = 'Error', message }: { readonly name?: string; readonly message: string }): Problem {
  return { kind: name, says: message.split('\n', 1)[0] ?? '' };
}
