import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf, liveGolden, viewAfterOpen } from './golden-life.js';

/** Writes the directory, and beside it what an open of it shows. */
export function makeGolden(directory: string): void {
  if (existsSync(directory)) throw new Error(`${directory} is there. A golden directory is never made again.`);
  mkdirSync(directory);
  const rig = liveGolden();
  for (const [name, bytes] of filesOf(rig)) writeFileSync(join(directory, name), bytes);
  writeFileSync(`${directory}.json`, `${JSON.stringify(viewAfterOpen(rig), null, 1)}\n`);
}
