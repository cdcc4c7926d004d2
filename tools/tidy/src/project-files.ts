import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSourceFile, type SourceFile } from './source-file.js';

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

const root = join(import.meta.dirname, '..', '..', '..');
const foreign = new Set(['node_modules', 'dist', 'coverage', 'data', '.git', '.turbo', '.test-results']);
/** What `npm run site` makes. */
const generated = new Set(['site/reference', 'site/.vitepress/cache']);

/** Every file of the project of these kinds, in the order of their paths. */
export function projectFiles(extensions: readonly string[]): TextFile[] {
  return walk('')
    .filter((path) => extensions.some((extension) => path.endsWith(extension)))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

export function projectSources(): SourceFile[] {
  return projectFiles(['.ts', '.tsx', '.mjs', '.js']).map(({ path, text }) => parseSourceFile(path, text));
}

/** Whether a path from the root, of a file or a folder, is part of the project. */
export function projectPaths(): ReadonlySet<string> {
  const files = walk('');
  const folders = files.flatMap((path) => path.split('/').map((_, depth, parts) => parts.slice(0, depth).join('/')));
  return new Set([...files, ...folders]);
}

function walk(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (foreign.has(entry.name)) return [];
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (generated.has(path)) return [];
      return entry.isDirectory() ? walk(path) : entry.isFile() ? [path] : [];
    });
}

export function dependenciesOf(folder: string): ReadonlySet<string> {
  const manifest: Partial<Record<'dependencies' | 'peerDependencies', Record<string, string>>> = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  );
  return new Set([...Object.keys(manifest.dependencies ?? {}), ...Object.keys(manifest.peerDependencies ?? {})]);
}
