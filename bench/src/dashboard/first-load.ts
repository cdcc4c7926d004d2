import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { constants, gzipSync } from 'node:zlib';

const SCRIPT = /<script[^>]*\ssrc="([^"]+\.js)"/g;
const PRELOAD = /<link[^>]*\srel="modulepreload"[^>]*\shref="([^"]+\.js)"/g;
const STYLE = /<link[^>]*\srel="stylesheet"[^>]*\shref="([^"]+\.css)"/g;

/** Bytes, gzipped at level 9, of what the built page loads before it shows anything. */
export function firstLoadBytes(): { readonly script: number; readonly style: number } {
  const built = join(dirname(createRequire(import.meta.url).resolve('@holdfast/dashboard/package.json')), 'dist');
  const html = readFileSync(join(built, 'index.html'), 'utf8');
  const bytesOf = (pattern: RegExp) =>
    [...html.matchAll(pattern)].reduce((sum, [, file]) => sum + gzippedBytes(join(built, file!)), 0);
  return { script: bytesOf(SCRIPT) + bytesOf(PRELOAD), style: bytesOf(STYLE) };
}

function gzippedBytes(file: string): number {
  return gzipSync(readFileSync(file), { level: constants.Z_BEST_COMPRESSION }).length;
}
