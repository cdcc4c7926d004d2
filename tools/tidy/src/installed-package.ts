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
  const manifest: {
    readonly name: string;
    readonly license?: string;
    readonly scripts?: Readonly<Record<string, string>>;
    readonly dependencies?: Readonly<Record<string, string>>;
  } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const scripts = ['preinstall', 'install', 'postinstall'].filter((name) => manifest.scripts?.[name] !== undefined);
  return {
    name: manifest.name,
    licence: manifest.license ?? 'unknown',
    bytes: bytesOf(folder),
    // npm builds what has such a file, also without a script.
    runsOnInstall: scripts.length > 0 || existsSync(join(folder, 'binding.gyp')),
    needs: Object.keys(manifest.dependencies ?? {}),
  };
}

function bytesOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      return sum + (entry.isDirectory() ? bytesOf(path) : entry.isFile() ? statSync(path).size : 0);
    }, 0);
}
