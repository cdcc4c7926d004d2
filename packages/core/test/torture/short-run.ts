import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rig, RigOutcome } from './rig.js';

/** A rig as a part of `npm test`. What it worked on stays if a promise was broken, and is named. */
export async function shortRun(rig: Pick<Rig, 'name' | 'run'>, seed: number, rounds: number): Promise<RigOutcome> {
  const scratch = mkdtempSync(join(tmpdir(), `holdfast-${rig.name}-`));
  const outcome = await rig.run({ rounds, seed, scratch, fileSystems: [], say: () => {} });
  if (outcome.problems.length === 0) rmSync(scratch, { recursive: true, force: true });
  else console.log(`The journal and the store are in ${scratch}; HOLDFAST_SEED=${seed} makes the same calls again.`);
  return outcome;
}
