import { StoreOpenError } from '@holdfast/contract';
import { expect, it } from 'vitest';
import { chooseSeed } from '../sim/seeded-random.js';
import type { SimDisk } from '../sim/sim-disk.js';
import { allJobs, compact, stage } from './compaction-stage.js';
import { EngineRig } from './engine-rig.js';

const seed = chooseSeed();
const RESERVE_BYTES = 16_000;
const ROOM_BYTES = 100;

/** The stage, with its reserve. Compaction has not begun. */
function stagedDisk(): SimDisk {
  const rig = stage({ seed, reserveBytes: RESERVE_BYTES, compactionStepJobs: 0 });
  rig.advance(100);
  expect(rig.engine.storage().diskReserve!.heldBytes).toBe(RESERVE_BYTES);
  rig.disk.kill();
  return rig.disk;
}

/** A store on a copy of the disk, which is full then. */
function onFullDisk(staged: SimDisk): EngineRig {
  const disk = staged.copy();
  const options = { segmentBytes: 2000, compactionStepJobs: 2, completedKept: 3, reserveBytes: RESERVE_BYTES };
  const rig = new EngineRig({ ...options, seed, disk });
  disk.capacityBytes = disk.usedBytes + ROOM_BYTES;
  return rig;
}

/** Opens again, if need be with room that somebody has made meanwhile. @returns whether that was needed */
function reopenSomehow(rig: EngineRig, how: 'killed' | 'crashed'): boolean {
  rig.fatal.length = 0;
  try {
    rig.reopen(how);
    return false;
  } catch (error) {
    if (!(error instanceof StoreOpenError)) throw error;
    rig.disk.capacityBytes += 100_000;
    rig.reopen('killed');
    return true;
  }
}

it(`loses nothing and brings nothing back on a full disk when it ends at any step (seed ${seed})`, {
  timeout: 300_000,
}, () => {
  const staged = stagedDisk();
  const control = onFullDisk(staged);
  const start = control.files.steps;
  const { bytes } = control.engine.storage();
  compact(control);
  const steps = control.files.steps - start;
  // It went on where the disk was full, and that is what has made room.
  expect(control.fatal).toEqual([]);
  expect(control.engine.storage().compaction!.movedJobs).toBeGreaterThan(4);
  expect(control.engine.storage().bytes).toBeLessThan(bytes * 0.7);
  expect(control.fullChanges).toBeGreaterThan(0);
  control.reopen('killed');
  const expected = allJobs(control);
  expect(steps).toBeGreaterThan(25);

  let helped = 0;
  let ends = 0;
  for (let step = 0; step < steps; step++) {
    for (const fault of ['end', 'EIO', 'ENOSPC'] as const) {
      for (const how of fault === 'end' ? (['killed', 'crashed'] as const) : (['killed'] as const)) {
        ends++;
        const rig = onFullDisk(staged);
        // The same store, another fate.
        for (let burnt = 0; burnt < step; burnt++) rig.random.fraction();
        rig.files.plan = { atStep: rig.files.steps + step, fault };
        try {
          compact(rig);
        } catch (error) {
          if (!rig.files.ended) throw error;
        }
        if (reopenSomehow(rig, how)) helped++;
        const what = `step ${step}, ${fault}, ${how}`;
        expect(allJobs(rig), what).toEqual(expected);
        rig.disk.capacityBytes += 100_000;
        rig.advance(5000);
        compact(rig);
        expect(rig.fatal, what).toEqual([]);
        expect(rig.engine.full, what).toBeUndefined();
        expect(rig.engine.storage().bytes, what).toBeLessThan(bytes * 0.7);
        rig.reopen('crashed');
        expect(allJobs(rig), `${what}, compacted again`).toEqual(expected);
      }
    }
  }
  console.log(`${steps} steps of a compaction on a full disk, ${ends} ends; ${helped} opens needed more room`);
});
