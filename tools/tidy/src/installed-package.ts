import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A package as it lies in node_modules. */
export interface InstalledPackage {
  readonly name: string;
  readonly licence: string;
  /** Of its own files. */
  readonly bytes: number;
  readonly runsOnInstall: boolean;
  /** What it cannot do without. Packages for one kind of machine, which are optional, are not among them. */
  readonly needs: readonly string[];
}

/** A package does not say under which licence it is. */
export const UNKNOWN_LICENCE = 'unknown';

type Licence = string | { readonly type?: string };

interface Licensed {
  readonly license?: Licence;
  /** As it was before `license`; some packages still have it. */
  readonly licenses?: readonly Licence[];
}

const root = join(import.meta.dirname, '..', '..', '..');

/** A dependency of a package of this workspace, and behind it all that it brings along; empty where it is not installed. */
export function installedWith(folder: string, name: string): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const visit = (from: string, wanted: string): void => {
    const place = resolve(from, wanted);
    if (place === undefined || found.has(place)) return;
    const installed = read(place);
    found.set(place, installed);
    for (const need of installed.needs) visit(place, need);
  };
  visit(join(root, folder), name);
  return [...found.values()];
}

function resolve(from: string, name: string): string | undefined {
  const place = join(from, 'node_modules', name);
  if (existsSync(join(place, 'package.json'))) return realpathSync(place);
  return dirname(from) === from ? undefined : resolve(dirname(from), name);
}

function read(folder: string): InstalledPackage {
  const manifest: Licensed & {
    readonly name: string;
    readonly scripts?: Readonly<Record<string, string>>;
    readonly dependencies?: Readonly<Record<string, string>>;
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const scripts = ['preinstall', 'install', 'postinstall'].filter((name) => manifest.scripts?.[name] !== undefined);
  return {
    name: manifest.name,
    licence: licenceOf(manifest),
    bytes: bytesOf(folder),
    // npm builds what has such a file, also without a script.
    runsOnInstall: scripts.length > 0 || existsSync(join(folder, 'binding.gyp')),
    needs: Object.keys(manifest.dependencies ?? {}),
  };
}

/** What a package says of its licence, in each of the ways that npm has known. */
export function licenceOf({ license, licenses = [] }: Licensed): string {
  const types = [license, ...licenses]
    .map((licence) => (typeof licence === 'object' ? licence.type : licence))
    .filter((type) => type !== undefined && type !== '');
  return types.length === 0 ? UNKNOWN_LICENCE : [...new Set(types)].join(' OR ');
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? bytesOf(path) : entry.isFile() ? statSync(path).size : 0);
    }, 0);
}
