import { posix } from 'node:path';
import type { Finding } from '../finding.js';
import type { TextFile } from '../project-files.js';

/** Relative links, of text and of images, that lead nowhere. Addresses on the web are not followed. */
export function markdownLinkFindings({ path, text }: TextFile, paths: ReadonlySet<string>): Finding[] {
  return withoutCode(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].flatMap(([, link]) => {
        const target = link === undefined ? undefined : linkedPath(path, link);
        return target === undefined || paths.has(target)
          ? []
          : [{ path, line: index + 1, message: `links to ${link}, which does not exist` }];
      }),
    );
}

export function linkedPath(path: string, link: string): string | undefined {
  const [file] = link.split(/[#?]/, 1);
  if (file === undefined || file === '' || /^[a-z][a-z0-9+.-]*:/i.test(file)) return undefined;
  const decoded = decodeURIComponent(file);
  const joined = decoded.startsWith('/') ? decoded.slice(1) : posix.join(posix.dirname(path), decoded);
  const target = joined.replace(/\/$/, '');
  return target === '.' ? '' : target;
}

/** Blanks code out, line for line, so that line numbers stay. */
export function withoutCode(text: string): string {
  return withoutCodeBlocks(text).replace(/`[^`\n]*`/g, (code) => ' '.repeat(code.length));
}

export function withoutCodeBlocks(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, ''));
}
