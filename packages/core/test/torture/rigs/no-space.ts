import { closeSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFigures, checkProblems, joined } from '../check-figures.js';
import type { Child } from '../machine/child-process.js';
import { canMakeDisk, Disk } from '../machine/disk.js';
import { StoreLife } from '../machine/store-life.js';
import type { Rig, RigSettings } from '../rig.js';
import { Seeded } from '../seeded.mjs';
import { FullDiskWatch } from './full-disk-watch.js';

const KIB = 1024;
const MIB = 1024 * KIB;
/** Sizes of disks. A quarter of each is free at first, a quarter becomes free when it is full, the rest at the end. */
const SIZES: Readonly<Record<string, readonly number[]>> = {
  tmpfs: Array.from({ length: 16 }, (_, index) => 1 * MIB + index * (256 + 4) * KIB),
  ext4: [4 * MIB, 6 * MIB, 8 * MIB, 12 * MIB],
};
/** The reserve of a store, as a part of its disk. */
const RESERVE_PART = 1 / 16;
/** A store whose disk has room again takes jobs again after this. */
const RECOVER_MS_MAX = 20_000;
const FULL_MS = 700;
const BLOCK_BYTES = 4096;

interface Sums {
  disks: number;
  quiteFull: number;
  opensWhileFull: number;
  openedWhileFull: number;
  recovered: number;
}

/** Fills a small disk until no jobs are taken, works on, then makes room, in the running process or for the next one. */
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
      const sums: Sums = { disks: 0, quiteFull: 0, opensWhileFull: 0, openedWhileFull: 0, recovered: 0 };
      const told: Record<string, number> = {};
      for (const bytes of (SIZES[fileSystem] ?? []).slice(0, settings.rounds)) {
        const watch = new FullDiskWatch();
        const life = await fillOne(settings, fileSystem, bytes, random, sums, watch);
        const found = [...checkProblems(life), ...watch.problems];
        problems.push(...found.map((problem) => `${fileSystem} of ${bytes} bytes: ${problem}`));
        addUp(told, { ...watch.figures, ...checkFigures(life.report) });
        const { enqueued, rejected, lost } = life.report;
        const { timesFull, timesFailed, settledWhileFull } = watch.figures;
        settings.say(
          `${fileSystem} of ${bytes / KIB} KiB: full ${timesFull} times, failed ${timesFailed}, ${settledWhileFull} settled while full, ` +
            `${enqueued} enqueued, ${rejected} rejected, ${lost} lost`,
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
  watch: FullDiskWatch,
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
    diskReserveBytes: Math.floor(bytes * RESERVE_PART),
    onEvent: (event) => watch.take(event),
  });
  sums.disks++;
  const child = life.start({ what: 'work', seed: random.below(2 ** 32) });
  if (await child.says('health full')) await pause(random.below(FULL_MS));
  const isQuiteFull = random.chance(0.5);
  if (isQuiteFull) await fillUp(disk, random, sums);
  if (random.chance(0.5)) await makeRoomAndGoOn(life, child, ballast[0] ?? '', disk, sums);
  else await endAndMakeRoom(life, child, ballast[0] ?? '', disk, sums);
  if (life.isWell) {
    rmSync(ballast[1] ?? '');
    await life.finish(random.below(2 ** 32));
  }
  if (watch.figures.settledWhileFull === 0) life.problems.push('No lease could be ended while the disk was full.');
  if (watch.figures.timesFailed > 0 && !isQuiteFull)
    life.problems.push('The store failed though others left its disk alone.');
  disk.remove();
  return life;
}

/** Others take every block that is left: now the reserve is all that there is. */
async function fillUp(disk: Disk, random: Seeded, sums: Sums): Promise<void> {
  const file = openSync(fillerOf(disk), 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(BLOCK_BYTES, 7));
  } catch {
    sums.quiteFull++;
  } finally {
    closeSync(file);
  }
  await pause(random.below(FULL_MS));
}

function fillerOf(disk: Disk): string {
  return join(disk.directory, 'filler');
}

/** The running process gets room again, and goes on without being told. */
async function makeRoomAndGoOn(life: StoreLife, child: Child, ballast: string, disk: Disk, sums: Sums): Promise<void> {
  const before = child.lines.filter((line) => line === 'health open').length;
  rmSync(fillerOf(disk), { force: true });
  rmSync(ballast);
  const isOpen = () => child.lines.filter((line) => line === 'health open').length > before;
  for (let waitedMs = 0; waitedMs < RECOVER_MS_MAX && !isOpen() && !child.isGone; waitedMs += 10) await pause(10);
  if (isOpen()) sums.recovered++;
  else life.problems.push(`The store took no jobs ${RECOVER_MS_MAX} ms after there was room.`);
  await pause(100);
  child.kill();
  await life.end(child, 'killed');
}

/** The process ends while the disk is full; another finds it full, and a third one finds room. */
async function endAndMakeRoom(life: StoreLife, child: Child, ballast: string, disk: Disk, sums: Sums): Promise<void> {
  child.kill();
  await life.end(child, 'killed');
  sums.opensWhileFull++;
  if (!(await life.endOrBeRefused(life.start({ what: 'look', seed: 0 }), 'STORE_'))) sums.openedWhileFull++;
  rmSync(fillerOf(disk), { force: true });
  rmSync(ballast);
}

function addUp(sums: Record<string, number>, figures: Readonly<Record<string, number | string>>): void {
  for (const [name, value] of Object.entries(figures)) {
    if (typeof value === 'number') sums[name] = (sums[name] ?? 0) + value;
  }
}
