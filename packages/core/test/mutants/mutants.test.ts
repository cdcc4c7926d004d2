import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { transformWithOxc } from 'vite';
import { expect, it } from 'vitest';
import { MUTANTS } from './all-mutants.js';
import { plant } from './mutant.js';
import { cleanProblem, survival } from './verdict.js';

const ROOT = resolve(import.meta.dirname, '../../../..');
const read = (file: string): string => readFileSync(resolve(ROOT, file), 'utf8');

it('are many, and each has a name of its own', () => {
  expect(MUTANTS.length).toBeGreaterThanOrEqual(100);
  expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

it.each(MUTANTS)('$name has one place in the source, and is a program', async (mutant) => {
  const source = read(mutant.file);
  const planted = plant(source, mutant);
  expect(planted).not.toBe(source);
  await expect(transformWithOxc(planted, mutant.file)).resolves.toBeDefined();
});

it.each(MUTANTS)('$name names a test that there is', ({ caughtBy: { file, title, within } }) => {
  const titles = literalsOf(read(file));
  expect(titles.some((literal) => isTitle(literal, title))).toBe(true);
  if (within !== undefined) expect(titles.some((literal) => within.endsWith(literal))).toBe(true);
});

it('are listed in docs/reliability.md, with the mistake', () => {
  const rows = read('docs/reliability.md').match(/^\| `[a-z-]+` \| .*$/gm) ?? [];
  const listed = rows.filter((line) => MUTANTS.some(({ name }) => line.startsWith(`| \`${name}\` |`)));
  expect(listed).toEqual(
    MUTANTS.map(({ name, mistake, caughtBy }) => `| \`${name}\` | ${mistake} | ${caughtBy.title} |`),
  );
});

it('are caught only by tests that saw what is wrong', () => {
  const failedWith = (kind: string, says: string) => survival({ passed: 0, problems: [{ kind, says }] });
  expect(survival({ passed: 1, problems: [] })).toBe('survived');
  expect(failedWith('AssertionError', 'expected 1 to be 2')).toBeUndefined();
  expect(failedWith('Error', 'seed 7 fails')).toBeUndefined();
  expect(failedWith('Error', 'Test timed out in 20000ms.')).toMatch(/hung/);
  expect(failedWith('SyntaxError', 'Unexpected token')).toMatch(/broke down/);
  expect(failedWith('NotLoaded', 'its text occurs 0 times')).toMatch(/broke down/);
  expect(failedWith('TypeError', 'x is not a function')).toMatch(/broke down/);
});

it('are tried only with tests that are there and pass', () => {
  expect(cleanProblem({ passed: 2, problems: [] })).toBeUndefined();
  expect(cleanProblem({ passed: 0, problems: [] })).toBe('there is no such test');
  expect(cleanProblem({ passed: 1, problems: [{ kind: 'AssertionError', says: 'no' }] })).toMatch(/without a mutant/);
});

/** All texts in quotes. */
function literalsOf(source: string): string[] {
  return [...source.matchAll(/(['"`])((?:(?!\1).)+)\1/g)].map(([, , text]) => text!);
}

/** Whether tests with this title, in which values stand for %s and the like, can have the name, or one that begins with it. */
function isTitle(literal: string, name: string): boolean {
  if (literal.includes(name)) return true;
  if (!/%[sijo]/.test(literal)) return false;
  const pattern = literal.split(/%[sijo]/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${pattern.join('.*')}$`).test(name);
}
