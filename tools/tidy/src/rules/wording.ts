import { posix } from 'node:path';
import type { Finding } from '../finding.js';
import type { TextFile } from '../project-files.js';
import type { SourceFile } from '../source-file.js';

const buckets = new Set(['utils', 'util', 'helpers', 'helper', 'types', 'misc']);

/** The log stores bytes for whoever needs them; a word of the queue in it is knowledge that it must not have. */
export function logWordFindings({ path, text }: TextFile): Finding[] {
  if (!path.startsWith('packages/core/src/log/')) return [];
  return text.split('\n').flatMap((line, index) => {
    const [word] = /\bjobs?\b/i.exec(line) ?? [];
    return word === undefined ? [] : [{ path, line: index + 1, message: `says "${word}"; log/ knows bytes and files` }];
  });
}

/** A file or folder is named after the one thing in it; these names invite everything. */
export function bucketNameFindings({ path }: SourceFile): Finding[] {
  const folders = posix.dirname(path).split('/');
  const [stem] = posix.basename(path).split('.');
  const bucket = [...folders, stem ?? ''].find((name) => buckets.has(name));
  return bucket === undefined ? [] : [{ path, line: 1, message: `"${bucket}" names no thing of the domain` }];
}

/** A face lists what it shows. `export *` is for files of one folder, never across folders or packages. */
export function exportAllFindings({ path, imports }: SourceFile): Finding[] {
  return imports
    .filter(({ kind, specifier }) => kind === 'export all' && !/^\.\/[^/]+$/.test(specifier))
    .map(({ line, specifier }) => ({ path, line, message: `exports * from ${specifier}; name what it exports` }));
}

export function anyTypeFindings({ path, anyTypes }: SourceFile): Finding[] {
  return anyTypes.map((line) => ({ path, line, message: 'uses the type any' }));
}
