import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFigures, checkProblems, joined } from '../check-figures.js';
import type { Child } from '../machine/child-process.js';
import { canMakeDisk, Disk } from '../machine/disk.js';
import { StoreLife } from '../machine/store-life.js';
import { waitForHealth } from '../machine/wait-for-health.js';
import type { Rig, RigSettings } from '../rig.js';
import { Seeded } from '../seeded.mjs';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Sizes of disks. A quarter of each is free at first, a quarter becomes free when it is full, the rest at the end. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  tmpfs: Array.from({ length: 16 }, (_, index) => 1 * MIB + index * (256 + 4) * KIB),
  ext4: [4 * MIB, 6 * MIB, 8 * MIB, 12 * MIB],
};
/** A store whose disk has room again is open again after this. */
const RECOVER_MS_MAX = 20_000;
const FULL_MS = 700;

interface Sums {
  disks: number;
  opensWhileFull: number;
  openedWhileFull: number;
  recovered: number;
}

/** Fills a small disk until nothing fits, tries on, then makes room, in the running process or for the next one. */
export const noSpace: Rig = {
  name: 'nospace',
  about: 'full disks: tmpfs (short writes) in many sizes and small ext4 disks (root)',
  async run(settings) {
    const random = new Seeded(settings.seed);
    const chosen =
      settings.fileSystems.length > 0
        ? settings.fileSystems
        : ['tmpfs', 'ext4'].filter((name) => name === 'tmpfs' || canMakeDisk(name));
    const figures: Record<string, string> = {};
    const problems: string[] = [];
    for (const fileSystem of chosen) {
      const sums: Sums = { disks: 0, opensWhileFull: 0, openedWhileFull: 0, recovered: 0 };
      const told: Record<string, number> = {};
      for (const bytes of (SIZES[fileSystem] ?? []).slice(0, settings.rounds)) {
        const life = await fillOne(settings, fileSystem, bytes, random, sums);
        problems.push(...checkProblems(life).map((problem) => `${fileSystem} of ${bytes} bytes: ${problem}`));
        addUp(told, checkFigures(life.report));
        settings.say(
          `${fileSystem} of ${bytes / KIB} KiB: ${life.report.enqueued} enqueued, ${life.report.rejected} rejected, ${life.report.lost} lost`,
        );
        if (problems.length > 0) break;
      }
      figures[fileSystem] = joined({ ...sums, ...told });
    }
    return { figures, problems };
  },
};

async function fillOne(
  { scratch }: RigSettings,
  fileSystem: string,
  bytes: number,
  random: Seeded,
  sums: Sums,
): Promise<StoreLife> {
  const name = `${fileSystem}-${bytes}`;
  const disk = Disk.make(scratch, name, fileSystem, bytes);
  const { bavail, bsize } = statfsSync(disk.directory);
  const ballast = [0.25, 0.5].map((part, index) => {
    const path = join(disk.directory, `ballast-${index}`);
    writeFileSync(path, Buffer.alloc(Math.floor(bavail * part) * bsize, index + 1));
    return path;
  });
  const life = new StoreLife({
    directory: join(disk.directory, 'store'),
    journal: join(scratch, `${name}.jsonl`),
    segmentBytes: 64 * KIB,
    liveJobsMax: 1e9,
  });
  sums.disks++;
  const child = life.start({ what: 'work', seed: random.below(2 ** 32) });
  if (await child.says('health failed')) await pause(random.below(FULL_MS));
  if (random.chance(0.5)) await makeRoomAndGoOn(life, child, ballast[0] ?? '', sums);
  else await endAndMakeRoom(life, child, ballast[0] ?? '', sums);
  if (life.isWell) {
    rmSync(ballast[1] ?? '');
    await life.finish(random.below(2 ** 32));
  }
  disk.remove();
  return life;
}

/** The running process gets room again. */
async function makeRoomAndGoOn(life: StoreLife, child: Child, ballast: string, sums: Sums): Promise<void> {
  rmSync(ballast);
  if (await waitForHealth(child, 'open', RECOVER_MS_MAX)) sums.recovered++;
  else life.problems.push(`The store was not open again ${RECOVER_MS_MAX} ms after there was room.`);
  await pause(100);
  child.kill();
  await life.end(child, 'killed');
}

/** The process ends while the disk is full; another finds it full, and a third one finds room. */
async function endAndMakeRoom(life: StoreLife, child: Child, ballast: string, sums: Sums): Promise<void> {
  child.kill();
  await life.end(child, 'killed');
  sums.opensWhileFull++;
  if (!(await life.endOrBeRefused(life.start({ what: 'look', seed: 0 }), 'STORE_OPEN_FAILED'))) sums.openedWhileFull++;
  rmSync(ballast);
}

function addUp(sums: Record<string, number>, figures: Readonly<Record<string, number | string>>): void {
  for (const [name, value] of Object.entries(figures)) {
    if (typeof value === 'number') sums[name] = (sums[name] ?? 0) + value;
  }
}
