import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** What VitePress hands to a renderer of Markdown about the page. */
interface PageEnvironment {
  readonly realPath?: string;
  readonly path: string;
}

/**
 * Makes the links of the repository those of the site: a folder with a README is that page, and a file that is no page (source, licence)
 * is named but not linked, because the site does not hold it.
 *
 * @param root folder of the repository
 */
export function linksToPages(markdown: MarkdownRenderer, root: string): void {
  markdown.core.ruler.push('links-to-pages', (state) => {
    const page = state.env as PageEnvironment;
    for (const block of state.tokens) {
      const unlinked: boolean[] = [];
      for (const token of block.children ?? []) {
        if (token.type === 'link_open') {
          const target = pageTarget(token.attrGet('href') ?? '', page.realPath ?? page.path, root);
          unlinked.push(target === undefined);
          if (target === undefined) becomesPlain(token);
          else token.attrSet('href', target);
        } else if (token.type === 'link_close' && unlinked.pop() === true) becomesPlain(token);
      }
    }
  });
}

function becomesPlain(token: { type: string; tag: string; attrs: [string, string][] | null }): void {
  token.type = 'text';
  token.tag = '';
  token.attrs = null;
}

/** @returns what the link has to say on the site; `undefined`: the site has no such page */
function pageTarget(href: string, from: string, root: string): string | undefined {
  if (/^([a-z]+:|#|\/)/i.test(href)) return href;
  const [path = '', fragment] = href.split('#', 2);
  const target = resolve(dirname(from), decodeURI(path));
  const file = existsSync(target) && statSync(target).isDirectory() ? join(target, 'README.md') : target;
  if (!file.endsWith('.md')) return undefined;
  // A page that is missing stays a link: the build stops there.
  if (!existsSync(file)) return target === file ? href : undefined;
  const inside = relative(root, file);
  return `/${inside.replace(/README\.md$/, 'index.md')}${fragment === undefined ? '' : `#${fragment}`}`;
}
