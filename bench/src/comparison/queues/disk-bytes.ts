import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

/** What the files below a directory take, not how long they are. */
export function directoryBytes(directory: string): number {
  let bytes = 0;
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += lstatSync(join(entry.parentPath, entry.name)).blocks * BLOCK_BYTES;
  }
  return bytes;
}
