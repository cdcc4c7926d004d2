// Prints what a browser has to load, compressed, and fails beyond the bounds: node dev/check-size.mjs (after a build).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = join(import.meta.dirname, '../dist');
const index = readFileSync(join(DIST, 'index.html'), 'utf8');
const assets = readdirSync(join(DIST, 'assets'));
const compressed = (name) => gzipSync(readFileSync(join(DIST, 'assets', name)), { level: 9 }).length;
const sum = (names) => names.reduce((total, name) => total + compressed(name), 0);
const isFirst = (name) => index.includes(name);

const BOUNDS = [
  {
    what: 'first load, JavaScript',
    bytesMax: 160_000,
    names: assets.filter((name) => name.endsWith('.js') && isFirst(name)),
  },
  { what: 'first load, CSS', bytesMax: 15_000, names: assets.filter((name) => name.endsWith('.css') && isFirst(name)) },
  { what: 'storage page, on top', bytesMax: 35_000, names: assets.filter((name) => !isFirst(name)) },
];

for (const { what, bytesMax, names } of BOUNDS) {
  const bytes = sum(names);
  const kept = names.length > 0 && bytes <= bytesMax;
  console.log(`${kept ? 'ok  ' : 'FAIL'} ${what}: ${(bytes / 1_000).toFixed(1)} kB of ${bytesMax / 1_000} kB gzip`);
  if (!kept) process.exitCode = 1;
}
