import type { Finding } from '../finding.js';
import type { TextFile } from '../project-files.js';

/** As measurements name what they were made with: “at 8657f4c”. A name of letters or digits alone is a word or a number. */
const NAMED = /\bat (?=[a-f]*\d)(?=\d*[a-f])([\da-f]{7,40})\b/g;

/** Commits of which a page says that something was so, and which nobody can look at, because they are not in the history. */
export function namedCommitFindings({ path, text }: TextFile, history: readonly string[]): Finding[] {
  return text.split('\n').flatMap((line, index) =>
    [...line.matchAll(NAMED)]
      .map(([, name = '']) => name)
      .filter((name) => !history.some((commit) => commit.startsWith(name)))
      .map((name) => ({ path, line: index + 1, message: `names the commit ${name}, which is not in the history` })),
  );
}
