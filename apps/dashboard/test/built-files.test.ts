// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';

const DIST = join(import.meta.dirname, '../dist');
const index = readFileSync(join(DIST, 'index.html'), 'utf8');
const assets = readdirSync(join(DIST, 'assets'));
const isFirst = (name: string) => index.includes(name);

/** As a browser has to load it, in kilobytes. */
function kilobytes(names: readonly string[]): number {
  return (
    names.reduce((sum, name) => sum + gzipSync(readFileSync(join(DIST, 'assets', name)), { level: 9 }).length, 0) /
    1_000
  );
}

describe('what a browser has to load, compressed', () => {
  it('is at most 170 kB of JavaScript at first', () => {
    const names = assets.filter((name) => name.endsWith('.js') && isFirst(name));
    expect(names).not.toEqual([]);
    expect(kilobytes(names)).toBeLessThanOrEqual(170);
  });

  it('is at most 15 kB of CSS at first', () => {
    expect(kilobytes(assets.filter((name) => name.endsWith('.css') && isFirst(name)))).toBeLessThanOrEqual(15);
  });

  it('is at most 40 kB more for the storage page with its charts', () => {
    const names = assets.filter((name) => !isFirst(name));
    expect(names).not.toEqual([]);
    expect(kilobytes(names)).toBeLessThanOrEqual(40);
  });
});

it('names no address but its own', () => {
  const texts = assets
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => readFileSync(join(DIST, 'assets', name), 'utf8'));
  // Names of XML vocabularies and links in messages of libraries are not fetched.
  const loads = [index, ...texts].flatMap(
    (text) => text.match(/(?:src|href|url\(|import\(|@import)\s*[="'(]+https?:[^"')]+/g) ?? [],
  );
  expect(loads).toEqual([]);
});
