import type { Finding } from '../finding.js';
import { type Import, importedPath, isTest, type SourceFile } from '../source-file.js';

/** What a package may import, by the folder that it lives in. Its own files are always allowed. */
interface PackageRule {
  readonly holdfast: (imported: Import) => boolean;
  /** Which packages from outside: those that its package.json brings along at run time, or any since it is bundled. */
  readonly outside: 'none' | 'its dependencies' | 'any';
  /** What it may have all the same. */
  readonly also?: readonly string[];
}

/** The names that the package.json in this folder declares for run time: dependencies and peers. */
export type DependenciesOf = (folder: string) => ReadonlySet<string>;

const packageRules: Readonly<Record<string, PackageRule>> = {
  // Every store that can repeat an enqueue keeps the same fingerprint of it.
  'packages/contract': { holdfast: () => false, outside: 'none', also: ['node:crypto'] },
  'packages/core': {
    holdfast: ({ specifier }) => within(specifier, '@holdfast/contract'),
    outside: 'its dependencies',
  },
  'packages/testing': {
    holdfast: ({ specifier }) => within(specifier, '@holdfast/contract'),
    outside: 'its dependencies',
  },
  'packages/sql-store': {
    holdfast: ({ specifier }) => within(specifier, '@holdfast/contract'),
    outside: 'its dependencies',
  },
  'packages/store-postgres': {
    holdfast: ({ specifier }) => within(specifier, '@holdfast/contract') || within(specifier, '@holdfast/sql-store'),
    outside: 'its dependencies',
  },
  'packages/store-mysql': {
    holdfast: ({ specifier }) => within(specifier, '@holdfast/contract') || within(specifier, '@holdfast/sql-store'),
    outside: 'its dependencies',
  },
  // Only tests have it.
  'packages/store-trials': {
    holdfast: ({ specifier }) =>
      ['contract', 'core', 'nestjs', 'sql-store', 'testing'].some((name) => within(specifier, `@holdfast/${name}`)),
    outside: 'its dependencies',
  },
  'packages/cli': {
    // The dashboard it serves is the module's, over any store.
    holdfast: ({ specifier }) =>
      within(specifier, '@holdfast/contract') ||
      within(specifier, '@holdfast/core') ||
      // Loaded when a command needs it.
      ['@holdfast/store-mysql/moving', '@holdfast/store-postgres/moving'].includes(specifier) ||
      served.includes(specifier),
    outside: 'its dependencies',
  },
  'packages/nestjs': {
    holdfast: ({ specifier }) =>
      // What it takes from requests keeps the bounds of every store.
      within(specifier, '@holdfast/contract') ||
      ['@holdfast/core', '@holdfast/dashboard/package.json', testing].includes(specifier),
    outside: 'its dependencies',
  },
  'apps/dashboard': {
    holdfast: ({ specifier, typeOnly }) => specifier === '@holdfast/contract' && typeOnly,
    outside: 'any',
  },
};

/** Whoever needs these is a harness: it stands outside and imports inwards. */
const harnesses = ['@holdfast/e2e', '@holdfast/bench', '@holdfast/tidy', '@holdfast/test-run'];
const sqlDrivers = ['pg', 'mysql2', 'mariadb', 'postgres', 'kysely', 'better-sqlite3', 'node:sqlite'];

/** Only the suite that registers tests needs a runner: the store in memory is for any. */
const suite = 'packages/testing/src/conformance/';

/** What tests of applications import: the module itself must not bring a store in memory into production. */
const testing = '@holdfast/testing';
const testingModule = 'packages/nestjs/src/testing/';

/** Which the command loads only to serve a dashboard: the others come to a log without them. */
const served = ['@holdfast/nestjs', '@holdfast/store-mysql', '@holdfast/store-postgres'];
const servingFolder = 'packages/cli/src/dashboard/';

/** For operators at a terminal: it has no face to import. */
const command = 'holdfast';

/**
 * The arrows between packages: contract ← core ← nestjs and cli, contract ← testing and the stores on databases (one of them by
 * way of sql-store), and contract ← dashboard for types alone.
 */
export function packageImportFindings(file: SourceFile, dependenciesOf: DependenciesOf): Finding[] {
  return file.imports.flatMap((imported) => {
    const message = problemOf(file, imported, dependenciesOf);
    return message === undefined ? [] : [{ path: file.path, line: imported.line, message }];
  });
}

function problemOf(file: SourceFile, imported: Import, dependenciesOf: DependenciesOf): string | undefined {
  const { specifier } = imported;
  const folder = packageFolder(file.path);
  const target = importedPath(file, specifier);
  if (target !== undefined) {
    if (folder === undefined || isHarness(folder)) return undefined;
    return packageFolder(target) === folder ? undefined : `reaches out of ${folder} into ${target}`;
  }
  if (harnesses.some((harness) => within(specifier, harness)) && (folder === undefined || !isHarness(folder))) {
    return `imports ${specifier}; nothing imports e2e, bench or tools`;
  }
  if (within(specifier, command)) return `imports ${specifier}; nothing imports the command`;
  // Tests and the configuration of a package's own tools are not shipped.
  if (folder === undefined || isTest(file.path) || !file.path.startsWith(`${folder}/src/`)) return undefined;
  return ruleProblem(file, folder, imported, dependenciesOf);
}

function ruleProblem(
  file: SourceFile,
  folder: string,
  imported: Import,
  dependenciesOf: DependenciesOf,
): string | undefined {
  const { specifier } = imported;
  const rule = packageRules[folder];
  if (rule === undefined) return undefined;
  if (folder === 'packages/nestjs' && within(specifier, testing) && !file.path.startsWith(testingModule)) {
    return `${folder} may import ${specifier} in ${testingModule} alone`;
  }
  const isServed = served.includes(specifier) || within(packageName(specifier), '@nestjs');
  if (folder === 'packages/cli' && isServed && !file.path.startsWith(servingFolder)) {
    return `${folder} may import ${specifier} in ${servingFolder} alone`;
  }
  if (specifier.startsWith('@holdfast/')) {
    if (rule.holdfast(imported)) return undefined;
    const how = folder === 'apps/dashboard' && specifier === '@holdfast/contract' ? ' other than by `import type`' : '';
    return `${folder} may not import ${specifier}${how}`;
  }
  if (rule.also?.includes(specifier) === true) return undefined;
  if (rule.outside === 'none') return `${folder} imports nothing, but here it imports ${specifier}`;
  if (folder === 'packages/nestjs' && sqlDrivers.some((driver) => within(specifier, driver))) {
    return `${folder} may not import the SQL driver ${specifier}: the app passes in its store`;
  }
  if (folder === 'packages/testing' && within(specifier, 'vitest') && !file.path.startsWith(suite)) {
    return `${folder} may import ${specifier} in ${suite} alone`;
  }
  if (rule.outside === 'any' || specifier.startsWith('node:') || dependenciesOf(folder).has(packageName(specifier))) {
    return undefined;
  }
  return `${folder} imports ${specifier}, which its package.json does not list under dependencies or peerDependencies`;
}

/** `@nestjs/common` of `@nestjs/common/interfaces`. */
export function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** `packages/core` of `packages/core/src/index.ts`; undefined for files that belong to the root. */
export function packageFolder(path: string): string | undefined {
  const [first, second, third] = path.split('/');
  if (first === 'e2e' || first === 'bench') return first;
  if (third === undefined || !['packages', 'apps', 'tools', 'examples'].includes(first ?? '')) return undefined;
  return `${first}/${second}`;
}

function isHarness(folder: string): boolean {
  return folder === 'e2e' || folder === 'bench' || folder.startsWith('tools/');
}

function within(specifier: string, name: string): boolean {
  return specifier === name || specifier.startsWith(`${name}/`);
}
