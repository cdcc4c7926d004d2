import type { Finding } from '../finding.js';
import type { TextFile } from '../project-files.js';

const USES = /^\s*(?:- )?uses: (?<action>[^@\s]+)@(?<version>\S+)(?<comment> # v\d+\.\d+\.\d+)?$/;

/** An action of somebody else is named by its commit, with the version that it is: a tag can be moved to another commit. */
export function workflowPinFindings({ path, text }: TextFile): Finding[] {
  if (!path.startsWith('.github/workflows/')) return [];
  return text.split('\n').flatMap((line, index) => {
    const { action, version, comment } = USES.exec(line)?.groups ?? {};
    const uses = /^\s*(?:- )?uses:/.test(line);
    if (!uses || (/^[0-9a-f]{40}$/.test(version ?? '') && comment !== undefined)) return [];
    return [{ path, line: index + 1, message: `names ${action ?? line.trim()} not by a commit and its version` }];
  });
}
