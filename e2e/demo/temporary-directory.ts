import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory for one test. `remove` it when the test passed; after a failure it is worth a look. */
export async function temporaryDirectory(): Promise<{ readonly path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-e2e-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}
