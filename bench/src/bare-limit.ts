import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** What a store did to its disk. */
export interface DiskWork {
  readonly writes: number;
  readonly syncs: number;
  readonly bytes: number;
}

/**
 * What the disk alone allows: one loop that writes the same bytes in the same number of writes, with the same number of `fdatasync`
 * spread evenly among them, and nothing else. No store on this disk that writes and syncs as much can be faster.
 * @returns seconds
 */
export function bareLimitSeconds(directory: string, { writes, syncs, bytes }: DiskWork): number {
  const block = Buffer.alloc(Math.max(1, Math.round(bytes / Math.max(1, writes))), 'holdfast');
  const file = openSync(join(directory, 'bare-limit'), 'w');
  try {
    write(file, block);
    fdatasyncSync(file);
    const start = process.hrtime.bigint();
    let synced = 0;
    for (let written = 1; written <= writes; written++) {
      write(file, block);
      for (; synced < Math.floor((written * syncs) / writes); synced++) fdatasyncSync(file);
    }
    return Number(process.hrtime.bigint() - start) / 1e9;
  } finally {
    closeSync(file);
  }
}

function write(file: number, block: Uint8Array): void {
  let written = 0;
  while (written < block.length) written += writeSync(file, block, written);
}
