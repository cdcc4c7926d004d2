import { HoldfastError } from '@holdfast/contract';
import type { LogEngine } from '../../src/engine/log-engine.js';
import { InvariantViolation } from './invariants.js';
import type { Reopened } from './reopen-check.js';
import { ProcessEnded, SimFileSystem } from './sim-file-system.js';
import type { Loss, SimWorld } from './sim-world.js';
import { viewStore } from './store-view.js';

const DEAF = { onFatal: () => {}, onLeasesDue: () => {} };

/** Opens a store and looks at all of it. A crash is never a reason to refuse. */
export function openAndLook(world: SimWorld, loss: Loss): Reopened {
  try {
    const engine = world.open(new SimFileSystem(world.disk, world.random), DEAF);
    world.checks.that(18, true, () => '');
    return lookAt(engine, world, loss);
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    throw Object.assign(new InvariantViolation(18, error.message), { cause: error });
  }
}

export function lookAt(engine: LogEngine, world: SimWorld, loss: Loss): Reopened {
  const { checks, latestWallMs } = world;
  const view = viewStore(engine, world.disk);
  const recount = new Map<string, number>();
  for (const { queue, shown } of view.jobs.values()) {
    const key = `${queue} ${shown}`;
    recount.set(key, (recount.get(key) ?? 0) + 1);
  }
  for (const { name, counts } of engine.queues()) {
    for (const [state, count] of Object.entries(counts)) {
      const found = recount.get(`${name} ${state}`) ?? 0;
      checks.that(13, found === count, () => `${name} counts ${count} ${state} jobs, and ${found} are there`);
    }
  }
  const payloadOf = (id: number) => String(engine.job(`${engine.storeTag}-${id.toString(36)}`)?.payload);
  return { view, loss, latestWallMs, payloadOf };
}

/** An open whose process is to end at a step. @returns whether it ended there, or was through before */
export function endsInOpen(world: SimWorld, files: SimFileSystem): boolean {
  try {
    world.open(files, DEAF);
  } catch (error) {
    if (!(error instanceof ProcessEnded) && !files.ended) throw error;
  }
  return files.ended;
}
