import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of its own for the test that runs now; removed when that has ended. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'holdfast-thread-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
