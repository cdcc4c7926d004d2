import type { Finding } from '../finding.js';
import { isTest, type SourceFile } from '../source-file.js';

const core = 'packages/core/src/';
const state = `${core}state/`;
/** The files whose whole purpose is to touch the world. */
const seams = new Set(
  ['system-clock.ts', 'system-random.ts', 'log/node-file-system.ts', 'log/sync-thread.js'].map((name) => core + name),
);
const forbiddenInCore = new Set(['Date.now', 'new Date()', 'performance.now', 'Math.random']);

/**
 * Time and chance come into core by argument, so that the simulator can replay a run from its seed. `state/` may not even
 * name a clock or a timer.
 */
export function worldFindings(file: SourceFile): Finding[] {
  if (!file.path.startsWith(core) || seams.has(file.path) || isTest(file.path)) return [];
  return file.globalUses
    .filter(({ name }) => forbiddenInCore.has(name) || (file.path.startsWith(state) && forbiddenInState(name)))
    .map(({ name, line }) => ({ path: file.path, line, message: `uses ${name}; take it by argument` }));
}

function forbiddenInState(name: string): boolean {
  return !name.startsWith('Math');
}
