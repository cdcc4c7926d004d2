import { cpSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ChildProgram } from './child-program.js';
import { compileProgram } from './compile-program.js';
import { sourcesOf } from './page-sources.js';
import { temporaryDirectory } from './temporary-directory.js';

const PACKAGE = fileURLToPath(new URL('..', import.meta.url));

/** Tests, compiled, in a project of their own: runners do not look into `node_modules`. */
async function projectOf(sources: ReadonlyMap<string, string>): Promise<string> {
  const root = temporaryDirectory();
  cpSync(await compileProgram(sources), root, { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module' }));
  linkPackages(join(PACKAGE, 'node_modules'), join(root, 'node_modules'));
  symlinkSync(PACKAGE, join(root, 'node_modules', '@holdfast', 'nestjs'), 'junction');
  return root;
}

function linkPackages(from: string, to: string): void {
  mkdirSync(to);
  for (const name of readdirSync(from)) {
    if (name.startsWith('.')) continue;
    if (name.startsWith('@') && !lstatSync(join(from, name)).isSymbolicLink()) {
      linkPackages(join(from, name), join(to, name));
    } else symlinkSync(join(from, name), join(to, name), 'junction');
  }
}

function binaryOf(name: string, path: string): string {
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
}

const README = '../../testing/README.md';

it('Vitest runs the tests of the README and exits by itself', async () => {
  const root = await projectOf(sourcesOf(README));
  const program = new ChildProgram(binaryOf('vitest', 'vitest.mjs'), {}, ['run', '--root', root]);
  expect(await program.ended, program.lines.join('\n')).toBe(0);
  await program.said(/Tests +7 passed \(7\)/);
  expect(program.lines.join('\n')).not.toMatch(/close timed out|hanging/i);
}, 120_000);

/** Answers what Jest says at its end. Without --forceExit: a handle that is left open would keep it from ending, and be told of. */
async function runJest(root: string): Promise<string> {
  for (const name of readdirSync(root).filter((file) => file.endsWith('.test.js'))) {
    const source = readFileSync(join(root, name), 'utf8');
    writeFileSync(join(root, name), source.replace("from 'vitest'", "from '@jest/globals'"));
  }
  const jest = binaryOf('jest', 'bin/jest.js');
  const program = new ChildProgram(jest, { NODE_OPTIONS: '--experimental-vm-modules' }, ['--rootDir', root]);
  expect(await program.ended, program.lines.join('\n')).toBe(0);
  expect(program.lines.join('\n')).not.toMatch(/did not exit|open handle|failed to exit/i);
  return program.said(/^Tests: /);
}

it('Jest runs the tests of the README and exits by itself', async () => {
  expect(await runJest(await projectOf(sourcesOf(README)))).toMatch(/ 7 passed, 7 total/);
}, 120_000);

it('T14: after odd lifecycles on a log store Jest exits by itself', async () => {
  const source = readFileSync(new URL('programs/odd-lifecycles.ts', import.meta.url), 'utf8');
  const root = await projectOf(new Map([['src/odd-lifecycles.test.ts', source]]));
  expect(await runJest(root)).toMatch(/ 6 passed, 6 total/);
}, 120_000);
