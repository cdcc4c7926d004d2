import type { Finding } from '../finding.js';
import { type InstalledPackage, UNKNOWN_LICENCE } from '../installed-package.js';
import { isPublished, type Member } from '../manifest.js';
import type { TextFile } from '../project-files.js';

export const DEPENDENCY_PAGE = 'docs/dependencies.md';

/** What is installed for a dependency of the package in a folder: the dependency first, then what it brings along. */
export type InstalledWith = (folder: string, name: string) => readonly InstalledPackage[];

/** What is built into the files of a package: its name among the development dependencies. */
export type BundledIn = (folder: string) => ReadonlySet<string>;

const HEADINGS = [/^\| package \| dependency \|/, /^\| package \| bundled \|/, /^\| package \| peer \|/];

/**
 * The page has a row for each dependency, each peer and each bundled package of what is published, which says what package.json says and what is
 * installed, and ends with a reason.
 */
export function dependencyPageFindings(
  page: TextFile,
  members: readonly Member[],
  catalog: ReadonlyMap<string, string>,
  installedWith: InstalledWith,
  bundledIn: BundledIn,
): Finding[] {
  const versionOf = (name: string, range: string) => (range === 'catalog:' ? (catalog.get(name) ?? range) : range);
  const wanted = members
    .filter(isPublished)
    .flatMap((member) => [
      ...dependencyRows(member, versionOf, installedWith),
      ...bundledRows(member, versionOf, installedWith, bundledIn(member.folder)),
      ...peerRows(member),
    ]);
  const rows = page.text
    .split('\n')
    .map((text, index) => ({ text, line: index + 1 }))
    .filter(({ line }) => isRow(page.text.split('\n'), line - 1));
  const missing = wanted
    .filter((row) => !rows.some(({ text }) => text.startsWith(row)))
    .map((row) => ({ path: page.path, line: 1, message: `has no row ${row} … |` }));
  const wrong = rows.flatMap(({ text, line }) => {
    const row = wanted.find((begin) => text.startsWith(begin));
    if (row === undefined) return [{ path: page.path, line, message: 'says of a dependency what is not so' }];
    const reason = text.slice(row.length).replace(/\|$/, '').trim();
    return reason === '' ? [{ path: page.path, line, message: 'gives no reason' }] : [];
  });
  return [...missing, ...wrong];
}

/** Nobody may pass on what does not say under which licence it is. */
export function unknownLicenceFindings(
  members: readonly Member[],
  installedWith: InstalledWith,
  bundledIn: BundledIn,
): Finding[] {
  return members.filter(isPublished).flatMap(({ folder, manifest }) => {
    const bundled = bundledIn(folder);
    const inside = Object.entries(manifest.devDependencies ?? {}).filter(([name]) => bundled.has(name));
    return [...Object.entries(manifest.dependencies ?? {}), ...inside]
      .filter(([, range]) => !range.startsWith('workspace:'))
      .flatMap(([name]) => installedWith(folder, name))
      .filter(({ licence }) => licence === UNKNOWN_LICENCE)
      .map(({ name }) => ({
        path: `${folder}/package.json`,
        line: 1,
        message: `brings ${name}, whose licence is unknown`,
      }));
  });
}

/** Whether the line stands in one of the tables, below its heading. */
function isRow(lines: readonly string[], index: number): boolean {
  if (lines[index]?.startsWith('| `') !== true) return false;
  let first = index;
  while (lines[first - 1]?.startsWith('|') === true) first -= 1;
  return HEADINGS.some((heading) => heading.test(lines[first] ?? ''));
}

type VersionOf = (name: string, range: string) => string;

function dependencyRows({ folder, manifest }: Member, versionOf: VersionOf, installedWith: InstalledWith): string[] {
  return Object.entries(manifest.dependencies ?? {})
    .filter(([, range]) => !range.startsWith('workspace:'))
    .map(([name, range]) => {
      const facts = factsOf(installedWith(folder, name));
      return `${begin(manifest.name, name)} | ${versionOf(name, range).replaceAll('|', '\\|')} | ${facts} |`;
    });
}

function bundledRows(
  { folder, manifest }: Member,
  versionOf: VersionOf,
  installedWith: InstalledWith,
  bundled: ReadonlySet<string>,
): string[] {
  return Object.entries(manifest.devDependencies ?? {})
    .filter(([name, range]) => bundled.has(name) && !range.startsWith('workspace:'))
    .map(([name, range]) => {
      const licences = licencesOf(installedWith(folder, name));
      return `${begin(manifest.name, name)} | ${versionOf(name, range)} | ${licences} |`;
    });
}

function peerRows({ manifest }: Member): string[] {
  return Object.entries(manifest.peerDependencies ?? {}).map(([name, range]) => {
    const need = manifest.peerDependenciesMeta?.[name]?.optional === true ? 'optional' : 'needed';
    return `${begin(manifest.name, name)} | ${range.replace('workspace:', '').replaceAll('|', '\\|')} | ${need} |`;
  });
}

function begin(owner: string, name: string): string {
  return `| \`${owner}\` | \`${name}\``;
}

function licencesOf(installed: readonly InstalledPackage[]): string {
  return [...new Set(installed.map(({ licence }) => licence))].sort().join(', ');
}

function factsOf(installed: readonly InstalledPackage[]): string {
  const [, ...brought] = installed.map(({ name }) => name);
  const kilobytes = Math.ceil(installed.reduce((sum, { bytes }) => sum + bytes, 0) / 1000);
  const scripts = installed.filter(({ runsOnInstall }) => runsOnInstall).map(({ name }) => name);
  const list = (names: readonly string[]) => (names.length === 0 ? 'none' : [...names].sort().join(', '));
  return `${licencesOf(installed)} | ${kilobytes} kB | ${list(brought)} | ${list(scripts)}`;
}
