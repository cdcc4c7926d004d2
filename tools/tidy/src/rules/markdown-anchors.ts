import type { Finding } from '../finding.js';
import type { TextFile } from '../project-files.js';
import { linkedPath, withoutCode, withoutCodeBlocks } from './markdown-links.js';

/** Links to a heading that its page does not have. */
export function markdownAnchorFindings(pages: readonly TextFile[]): Finding[] {
  const headings = new Map(pages.map(({ path, text }) => [path, anchorsOf(text)]));
  return pages.flatMap(({ path, text }) =>
    withoutCode(text)
      .split('\n')
      .flatMap((line, index) =>
        [...line.matchAll(/\]\(<?([^)\s>#]*)#([^)\s>]+)>?\)/g)].flatMap(([, link = '', anchor = '']) => {
          const target = link === '' ? path : linkedPath(path, link);
          const anchors = target === undefined ? undefined : headings.get(target);
          return anchors === undefined || anchors.has(decodeURIComponent(anchor))
            ? []
            : [{ path, line: index + 1, message: `links to ${link}#${anchor}, but there is no such heading` }];
        }),
      ),
  );
}

/** As GitHub names headings: small letters, words joined by hyphens, punctuation left out. */
function anchorsOf(text: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of withoutCodeBlocks(text).matchAll(/^#{1,6} +(.+?)\s*#*$/gm)) {
    const anchor = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    let free = anchor;
    for (let again = 1; anchors.has(free); again++) free = `${anchor}-${again}`;
    anchors.add(free);
  }
  return anchors;
}
