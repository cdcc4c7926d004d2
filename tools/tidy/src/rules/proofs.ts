import type { Finding } from '../finding.js';
import type { TextFile } from '../project-files.js';

const PAGE = 'docs/proofs.md';
const HEADING = /\| file \| test \|$/;
const PROOF = /^\| (?<promise>.*?) ?\| `(?<file>[^`]+)` \| (?<test>.+) \|$/;

/** Where a promise is made: the first cells of these rows are the first cells of the proofs. */
const PROMISES: readonly { readonly page: string; readonly heading: RegExp }[] = [
  { page: 'docs/reliability.md', heading: /^\| *\| name \| rule \|$/ },
  { page: 'docs/job-lifecycle.md', heading: /^\| # \| rule \|/ },
  { page: 'docs/recovery.md', heading: /^\| after \| what / },
  { page: 'docs/recovery.md', heading: /^\| when it happens \|/ },
];

/** Each promise of the documentation has a proof, and each proof is a test that is there under that name. */
export function proofFindings(files: readonly TextFile[]): Finding[] {
  const textOf = new Map(files.map(({ path, text }) => [path, text]));
  const page = textOf.get(PAGE) ?? '';
  const findings: Finding[] = [];
  const proven = new Set<string>();
  let inTable = false;
  page.split('\n').forEach((line, index) => {
    if (!line.startsWith('|')) inTable = false;
    if (HEADING.test(line)) inTable = true;
    else if (inTable && !line.startsWith('| --- |')) {
      const { promise = '', file = '', test = '' } = PROOF.exec(line)?.groups ?? {};
      proven.add(promise);
      const problem = problemOf(textOf.get(file), file, test);
      if (problem !== undefined) findings.push({ path: PAGE, line: index + 1, message: problem });
    }
  });
  for (const { page: path, heading } of PROMISES) {
    for (const promise of firstCells(textOf.get(path) ?? '', heading)) {
      if (!proven.has(promise.cell))
        findings.push({ path, line: promise.line, message: `${promise.cell}: no test proves it in ${PAGE}` });
    }
  }
  return findings;
}

function problemOf(text: string | undefined, file: string, test: string): string | undefined {
  if (file === '') return 'the row names no file and test';
  if (text === undefined) return `${file} is not there`;
  const name = test.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // What follows a name that ends early is drawn: a seed, or an entry of a table.
  return new RegExp(`['"\`]${name}(?:['"\`]| \\(| \\$\\{)`).test(text) ? undefined : `${file} has no test "${test}"`;
}

function firstCells(text: string, heading: RegExp): { readonly cell: string; readonly line: number }[] {
  const lines = text.split('\n');
  const at = lines.findIndex((line) => heading.test(line));
  if (at < 0) return [{ cell: `a table ${heading.source}`, line: 1 }];
  const cells: { cell: string; line: number }[] = [];
  for (let index = at + 2; lines[index]?.startsWith('|'); index++) {
    cells.push({ cell: lines[index]!.split('|')[1]!.trim(), line: index + 1 });
  }
  return cells;
}
