import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What the disk alone allows: one loop that writes as many bytes in as many commits as the store just did, each with
 * `write` and `fdatasync`, and nothing else. No queue on this disk that answers after an fdatasync can be faster at the
 * same commit size.
 * @returns seconds for all commits.
 */
export function bareLimitSeconds(directory: string, commits: number, bytes: number): number {
  const bytesPerCommit = Math.max(1, Math.round(bytes / commits));
  const block = Buffer.alloc(bytesPerCommit, 'holdfast');
  const file = openSync(join(directory, 'bare-limit'), 'w');
  try {
    writeAndSync(file, block);
    const start = process.hrtime.bigint();
    for (let commit = 0; commit < commits; commit++) writeAndSync(file, block);
    return Number(process.hrtime.bigint() - start) / 1e9;
  } finally {
    closeSync(file);
  }
}

function writeAndSync(file: number, block: Uint8Array): void {
  let written = 0;
  while (written < block.length) written += writeSync(file, block, written);
  fdatasyncSync(file);
}
