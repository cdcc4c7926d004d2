/** One classic mistake, planted into a copy of the source while a test runs. The code that is built and shipped knows nothing of it. */
export interface Mutant {
  readonly name: string;
  /** The mistake in one sentence. */
  readonly mistake: string;
  /** From the root of the repository. */
  readonly file: string;
  /** Occurs once in the file. */
  readonly text: string;
  readonly replacement: string;
  readonly caughtBy: CatchingTest;
}

/** Where the test is, and how it is called: its title, or the beginning of it where the rest is filled in at run time. */
export interface CatchingTest {
  readonly file: string;
  readonly title: string;
  /** Where the same tests stand in several suites: the name of one of them. */
  readonly within?: string;
}

/** @throws Error if the text is not in the source, or more than once: then it is not clear what would be changed */
export function plant(source: string, { name, file, text, replacement }: Mutant): string {
  const parts = source.split(text);
  if (parts.length === 2) return parts.join(replacement);
  const found = `its text occurs ${parts.length - 1} times in ${file}, not once`;
  throw new Error(`mutant ${name}: ${found}. Let it follow its code: packages/core/test/mutants, docs/reliability.md`);
}
