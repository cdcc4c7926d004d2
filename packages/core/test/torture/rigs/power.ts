import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFigures, checkProblems, joined } from '../check-figures.js';
import { canMakeDisk, Disk } from '../machine/disk.js';
import { monotonicMs } from '../machine/monotonic.js';
import { eatMyData } from '../machine/preloads.js';
import { StoreLife } from '../machine/store-life.js';
import { CannotRunError, type Rig, type RigOutcome, type RigSettings } from '../rig.js';
import { Seeded } from '../seeded.mjs';

const ROUNDS = 100;
const CONTROL_ROUNDS = 5;
const DISK_BYTES = 1024 * 1024 * 1024;
/** An ack is on the disk 50 ms after its answer, and the sync may take its time on a loop device beside other work. */
const TAKEN_BACK_MS = 50 + 450;

/**
 * Cuts the power of a file system under a working store: all that was not synced is gone. The process is stopped first, because a
 * machine without power answers nothing. Then the same under libeatmydata, where nothing is ever synced: that has to be found out.
 */
export const power: Rig = {
  name: 'power',
  about: 'power cuts on ext4 and xfs (loop devices, root), and a store that never syncs, which must be found out',
  async run(settings) {
    const fileSystems = settings.fileSystems.length > 0 ? settings.fileSystems : ['ext4', 'xfs'].filter(canMakeDisk);
    if (fileSystems.length === 0) throw new CannotRunError('neither mkfs.ext4 nor mkfs.xfs is installed');
    const outcomes: RigOutcome[] = [];
    for (const fileSystem of fileSystems) outcomes.push(await cutOften(settings, fileSystem));
    for (const fileSystem of fileSystems) outcomes.push(await cutWithoutSyncs(settings, fileSystem));
    return {
      figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      problems: outcomes.flatMap(({ problems }) => problems),
    };
  },
};

async function cutOften({ rounds = ROUNDS, seed, scratch, say }: RigSettings, fileSystem: string): Promise<RigOutcome> {
  const random = new Seeded(seed);
  const disk = Disk.make(scratch, fileSystem, fileSystem, DISK_BYTES);
  const life = new StoreLife({
    directory: join(disk.directory, 'store'),
    journal: join(scratch, `${fileSystem}.jsonl`),
    segmentBytes: random.pick([64 * 1024, 64 * 1024, 256 * 1024]),
    check: { takenBackMs: TAKEN_BACK_MS },
  });
  for (let round = 1; round <= rounds && life.isWell; round++) {
    const opening = random.chance(0.2);
    await liveUntilCut(
      life,
      disk,
      random.below(2 ** 32),
      opening ? 'opening' : 'open',
      random.below(opening ? 60 : 600),
    );
    if (round % 25 === 0)
      say(`${fileSystem}: ${round} cuts, ${life.report.enqueued} jobs enqueued, ${life.report.lost} lost`);
  }
  if (life.isWell) await life.finish(random.below(2 ** 32));
  disk.unmount();
  return {
    figures: { [fileSystem]: joined({ cuts: rounds, ...checkFigures(life.report) }) },
    problems: checkProblems(life).map((problem) => `${fileSystem}: ${problem}`),
  };
}

/** @returns no problem if the loss was found in every round */
async function cutWithoutSyncs({ seed, scratch, say }: RigSettings, fileSystem: string): Promise<RigOutcome> {
  const random = new Seeded(seed);
  const options = { env: { LD_PRELOAD: eatMyData() } };
  let found = 0;
  let lost = 0;
  let enqueued = 0;
  for (let round = 1; round <= CONTROL_ROUNDS; round++) {
    const name = `${fileSystem}-control-${round}`;
    const disk = Disk.make(scratch, name, fileSystem, DISK_BYTES);
    const life = new StoreLife({
      directory: join(disk.directory, 'store'),
      journal: join(scratch, `${name}.jsonl`),
      segmentBytes: 256 * 1024,
    });
    await liveUntilCut(life, disk, random.below(2 ** 32), 'open', 200 + random.below(200), options);
    await life.end(life.start({ what: 'look', seed: 0 }), 'exit');
    if (!life.isWell) found++;
    lost += life.report.lost;
    enqueued += life.report.enqueued;
    disk.remove();
  }
  say(
    `${fileSystem} without syncs: ${lost} of ${enqueued} answered jobs lost, found in ${found} of ${CONTROL_ROUNDS} rounds`,
  );
  const missed = CONTROL_ROUNDS - found;
  return {
    figures: {
      [`${fileSystem}WithoutSyncs`]: joined({ foundIn: `${found}/${CONTROL_ROUNDS}`, lost: `${lost}/${enqueued}` }),
    },
    problems: missed === 0 ? [] : [`${fileSystem}: a store that never syncs was not found out in ${missed} rounds`],
  };
}

async function liveUntilCut(
  life: StoreLife,
  disk: Disk,
  seed: number,
  from: 'opening' | 'open',
  afterMs: number,
  options: { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<void> {
  const child = life.start({ what: 'work', seed }, options);
  await child.says(from);
  await pause(afterMs);
  await child.stop();
  const stoppedMs = monotonicMs();
  disk.cutPower();
  child.kill();
  await life.end(child, 'power', stoppedMs);
  disk.restart();
}
