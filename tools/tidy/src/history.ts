import { execFileSync } from 'node:child_process';

/** The commits that HEAD comes from, by their full names; undefined where git has not all of them: in a shallow clone, or without a repository. */
export function commitHistory(): readonly string[] | undefined {
  try {
    if (git('rev-parse', '--is-shallow-repository') !== 'false') return undefined;
    return git('rev-list', 'HEAD').split('\n');
  } catch {
    return undefined;
  }
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim();
}
