import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourcesOf } from '../../packages/nestjs/test/page-sources.js';
import { type Ended, run } from './command.js';
import { dependenciesOf, type Kind } from './matrix.js';
import { PNPM, type Published } from './tarballs.js';

const SOURCES = fileURLToPath(new URL('app', import.meta.url));
const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

const COMPILER_OPTIONS = {
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  // The types of Nest 11 and of its adapters are not ours to check; those of Holdfast are checked by attw.
  skipLibCheck: true,
};

/** Makes an application of each kind that installs the packed packages, all of them in one workspace. */
export function writeApps(root: string, kinds: readonly Kind[], published: readonly Published[]): void {
  const overrides = published.map(({ name, tarball }) => `  '${name}': 'file:${tarball}'`);
  writeFileSync(
    join(root, 'pnpm-workspace.yaml'),
    [
      'packages: [apps/*]',
      'overrides:',
      ...overrides,
      'strictDepBuilds: false',
      'fetchRetries: 0',
      'fetchTimeout: 10000',
      '',
    ].join('\n'),
  );
  writeFileSync(join(root, 'package.json'), JSON.stringify({ name: 'small-apps', private: true }));
  for (const kind of kinds) writeApp(join(root, 'apps', kind.name), kind, published);
}

function writeApp(
  root: string,
  kind: Kind,
  published: readonly Published[],
  dependencies = onlyNestjs(published),
): void {
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(
    join(root, 'package.json'),
    JSON.stringify({
      name: kind.name,
      private: true,
      type: kind.modules === 'ESM' ? 'module' : 'commonjs',
      dependencies: { ...dependencies, ...dependenciesOf(kind) },
      devDependencies: { '@types/node': '20.19.43' },
    }),
  );
  const compilerOptions = { ...COMPILER_OPTIONS, rootDir: 'src', outDir: 'dist' };
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  cpSync(join(SOURCES, 'main.ts'), join(root, 'src', 'main.ts'));
  cpSync(join(SOURCES, `${kind.platform}.ts`), join(root, 'src', 'adapter.ts'));
}

function onlyNestjs(published: readonly Published[]): Record<string, string> {
  return tarballsOf(published.filter(({ name }) => name === '@holdfast/nestjs'));
}

/** The application of the README of this repository, word for word, with everything that is published installed. */
export function writeReadmeApp(root: string, kind: Kind, published: readonly Published[]): string {
  const app = join(root, 'apps', `readme-${kind.name}`);
  writeApp(app, kind, published, { ...tarballsOf(published), nodemailer: '10.6.1' });
  for (const file of readdirSync(join(app, 'src'))) rmSync(join(app, 'src', file));
  for (const [path, text] of sourcesOf('../../../README.md')) writeFileSync(join(app, path), text);
  return app;
}

/** A copy of an example, as somebody takes it along: only the versions of what is not published yet come from the tarballs. */
export function copyExample(root: string, name: string): string {
  const copy = join(root, 'apps', `example-${name}`);
  for (const part of ['src', 'package.json', 'tsconfig.json']) {
    cpSync(join(EXAMPLES, name, part), join(copy, part), { recursive: true });
  }
  return copy;
}

function tarballsOf(published: readonly Published[]): Record<string, string> {
  return Object.fromEntries(published.map(({ name, tarball }) => [name, `file:${tarball}`]));
}

/** Says why the registry cannot be had, where that is the reason; throws for every other failure. */
export async function install(root: string): Promise<string | undefined> {
  const options = ['--prefer-offline', '--ignore-scripts'];
  const { code, output } = await run(PNPM, ['--dir', root, 'install', ...options], { cwd: root });
  if (code === 0) return undefined;
  const unreachable = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|ETIMEDOUT|error sending request/i.exec(output);
  if (unreachable !== null) return `the registry of npm packages cannot be reached (${unreachable[0]})`;
  throw new Error(`The small apps could not be installed:\n${output}`);
}

/** @param options on top of those of its tsconfig.json */
export function compile(root: string, ...options: string[]): Promise<Ended> {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  return run(compiler, ['-p', root, ...options], { cwd: root });
}
