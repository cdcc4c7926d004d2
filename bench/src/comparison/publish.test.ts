import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { publish, replaceSection } from './publish.js';
import { someResults } from './some-results.js';

it('puts the last runs into the page and a picture beside it, again and again', () => {
  const root = mkdtempSync(join(tmpdir(), 'holdfast-publish-'));
  const directory = join(root, 'docs');
  mkdirSync(join(directory, 'images'), { recursive: true });
  const readme = join(root, 'README.md');
  writeFileSync(readme, 'first\n\n<!-- bench:peers begin -->\n<!-- bench:peers end -->\n\nlast\n');
  const page = join(directory, 'performance.md');
  writeFileSync(page, 'before\n\n<!-- bench:peers begin -->\n<!-- bench:peers end -->\n\nafter\n');
  writeFileSync(join(directory, 'peers-node20.json'), JSON.stringify(someResults('v20.1.0', 1000)));
  expect(publish(directory, directory)).toEqual([page, join(directory, 'images', 'peers.svg'), readme]);
  expect(readFileSync(readme, 'utf8')).toMatch(
    /^first\n\n<!-- bench:peers begin -->\n\n- `npm run bench:peers`: [\s\S]+\nlast\n$/,
  );
  const first = readFileSync(page, 'utf8');
  expect(first).toMatch(/^before\n\n<!-- bench:peers begin -->\n\n!\[.*\]\(images\/peers\.svg\)\n/);
  expect(first).toMatch(/\n\n<!-- bench:peers end -->\n\nafter\n$/);
  writeFileSync(join(directory, 'peers-node104.json'), JSON.stringify(someResults('v104.1.0', 1000)));
  publish(directory, directory);
  expect(readFileSync(page, 'utf8')).toContain('on Node 20');
  expect(readFileSync(page, 'utf8').match(/peers\.svg/g)).toHaveLength(1);
  const idle = { ...someResults('v20.1.0', 1000), command: 'npm run bench:peers -- --only idle', workloads: [] };
  writeFileSync(join(directory, 'peers-node20-idle.json'), JSON.stringify(idle));
  publish(directory, directory);
  const [whole, aside] = readFileSync(page, 'utf8').match(/^- `.*`: Node/gm) ?? [];
  expect(whole).toBe('- `npm run bench:peers`: Node');
  expect(aside).toBe('- `npm run bench:peers -- --only idle`: Node');
  rmSync(root, { recursive: true });
});

it('refuses a page that has no place for the figures', () => {
  expect(() => replaceSection('nothing here', 'figures')).toThrow('bench:peers begin');
});
