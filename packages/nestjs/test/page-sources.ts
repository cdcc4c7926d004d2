import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

/** Every TypeScript block of a page, by the file that its first line names. `page` is relative to this folder. */
export function sourcesOf(page: string): Map<string, string> {
  const text = readFileSync(new URL(page, import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n\/\/ (src\/\S+)\n([\s\S]*?)^```$/gm)];
  expect(blocks).toHaveLength(text.match(/^```ts$/gm)?.length ?? -1);
  const sources = new Map(blocks.map(([, path, source]) => [path!, source!]));
  expect(sources.size).toBe(blocks.length);
  return sources;
}
