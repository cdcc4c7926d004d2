import type { TextFile } from './project-files.js';

/** What this project asks of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly description?: string;
  readonly license?: string;
  readonly type?: string;
  readonly repository?: { readonly url?: string; readonly directory?: string };
  readonly sideEffects?: boolean | readonly string[];
  readonly engines?: { readonly node?: string };
  readonly files?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string; readonly default?: string }>>;
  readonly publishConfig?: { readonly access?: string };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/** A package of this workspace. */
export interface Member {
  readonly folder: string;
  readonly manifest: Manifest;
}

export function membersOf(manifests: readonly TextFile[]): Member[] {
  return manifests
    .filter(({ path }) => path.endsWith('/package.json'))
    .map(({ path, text }) => ({ folder: path.slice(0, -'/package.json'.length), manifest: JSON.parse(text) }));
}

export function isPublished({ folder, manifest }: Member): boolean {
  return manifest.private !== true && /^(packages|apps)\//.test(folder);
}

/** The versions that `catalog:` stands for, by package. */
export function catalogOf({ text }: TextFile): ReadonlyMap<string, string> {
  const section = /^catalog:\n((?: {2}.*\n)*)/m.exec(text)?.[1] ?? '';
  return new Map(
    [...section.matchAll(/^ {2}"?([^":]+)"?: (\S+)/gm)].map(([, name, version]) => [name ?? '', version ?? '']),
  );
}
