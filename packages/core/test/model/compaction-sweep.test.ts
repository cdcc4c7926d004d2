import { expect, it } from 'vitest';
import { chooseSeed } from '../sim/seeded-random.js';
import { allJobs, compact, stage } from './compaction-stage.js';

const seed = chooseSeed();

it('changes nothing that can be seen, before and after an open, and frees the disk', () => {
  const rig = stage();
  const before = allJobs(rig);
  const { bytes, segments } = rig.engine.storage();
  const kept = segments.slice(0, -1).reduce((sum, { liveBytes }) => sum + liveBytes!, 0);
  compact(rig);
  expect(allJobs(rig)).toEqual(before);
  const after = rig.engine.storage();
  expect(after.compaction).toMatchObject({ running: false });
  expect(after.compaction!.movedJobs).toBeGreaterThan(12);
  expect(after.compaction!.movedBytes).toBeGreaterThan(kept);
  expect(after.bytes).toBeLessThan(bytes * 0.7);
  expect(after.bytes).toBeLessThan(2 * after.segments.reduce((sum, { liveBytes }) => sum + liveBytes!, 0) + 4000);

  const control = stage();
  control.advance(802);
  control.reopen('closed');
  rig.reopen('closed');
  expect(allJobs(rig)).toEqual(allJobs(control));
});

it(`loses nothing and brings nothing back when it ends at any step, nor when its recovery does (seed ${seed})`, {
  timeout: 300_000,
}, () => {
  const control = stage({ seed });
  const start = control.files.steps;
  compact(control);
  const steps = control.files.steps - start;
  control.reopen('killed');
  const expected = allJobs(control);
  expect(steps).toBeGreaterThan(25);

  for (let step = 0; step < steps; step++) {
    for (const fault of ['end', 'EIO', 'ENOSPC'] as const) {
      for (const how of ['killed', 'crashed'] as const) {
        const rig = stage({ seed });
        // The same store, another fate.
        for (let burnt = 0; burnt < step; burnt++) rig.random.fraction();
        rig.files.plan = { atStep: rig.files.steps + step, fault };
        unlessEnded(rig.files, () => compact(rig));
        const recoveryStep = rig.random.below(12);
        if (
          !unlessEnded(
            {
              get ended() {
                return rig.files.ended;
              },
            },
            () => rig.reopen(how, { atStep: recoveryStep, fault: 'end' }),
          )
        ) {
          rig.reopen(rig.random.chance(0.5) ? 'crashed' : 'killed');
        }
        rig.files.plan = undefined;
        const what = `step ${step}, ${fault}, ${how}, recovery to ${recoveryStep}`;
        expect(allJobs(rig), what).toEqual(expected);
        rig.reopen('killed');
        expect(allJobs(rig), `${what}, opened again`).toEqual(expected);
        compact(rig);
        expect(allJobs(rig), `${what}, compacted again`).toEqual(expected);
      }
    }
  }
});

/** @returns whether the process lived on */
function unlessEnded(files: { readonly ended: boolean }, run: () => void): boolean {
  try {
    run();
  } catch (error) {
    if (!files.ended) throw error;
  }
  return !files.ended;
}
