import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFigures, checkProblems, joined } from '../check-figures.js';
import { Disk } from '../machine/disk.js';
import { compileNative } from '../machine/preloads.js';
import { StoreLife } from '../machine/store-life.js';
import { waitForHealth } from '../machine/wait-for-health.js';
import { CannotRunError, type Rig, type RigOutcome, type RigSettings } from '../rig.js';
import { Seeded } from '../seeded.mjs';

const ROUNDS = 60;
const REAL_ROUNDS = 5;
const MIB = 1024 * 1024;
const HOW = ['done', 'skipped', 'dropped'] as const;
const REOPEN_MS_MAX = 20_000;

interface Sums {
  failed: number;
  /** The open itself was refused. */
  atOpen: number;
  reopened: number;
  /** The engine writes on until it hears that the sync beside it has failed. */
  writesUntilHeard: number;
}

/** One `fdatasync` fails and all later ones answer well, as Linux has it: the store must not believe them. */
export const badSync: Rig = {
  name: 'badsync',
  about: 'one fdatasync fails with EIO, then all are well (LD_PRELOAD, gcc); real EIO from a loop device (root)',
  async run(settings) {
    const outcomes = [await failInjected(settings)];
    if (process.getuid?.() === 0) outcomes.push(await failForReal(settings));
    else settings.say('no real EIO: mounting a file system needs root');
    return {
      figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      problems: outcomes.flatMap(({ problems }) => problems),
    };
  },
};

export async function failInjected({ rounds = ROUNDS, seed, scratch, say }: RigSettings): Promise<RigOutcome> {
  if (process.platform !== 'linux') throw new CannotRunError('LD_PRELOAD is for Linux');
  const random = new Seeded(seed);
  const library = compileNative('fail-sync', scratch, 'library');
  const life = new StoreLife({
    directory: join(scratch, 'store'),
    journal: join(scratch, 'journal.jsonl'),
    segmentBytes: random.pick([64 * 1024, MIB / 4]),
  });
  const sums: Sums = { failed: 0, atOpen: 0, reopened: 0, writesUntilHeard: 0 };
  const problems: string[] = [];
  for (let round = 1; round <= rounds && life.isWell && problems.length === 0; round++) {
    const log = join(scratch, `failed-sync-${round}.txt`);
    const env = {
      LD_PRELOAD: library,
      FAIL_SYNC_AT: String(1 + random.below(random.chance(0.3) ? 4 : 80)),
      FAIL_SYNC_HOW: random.pick(HOW),
      FAIL_SYNC_LOG: log,
    };
    await liveThroughFailure(life, random, env, sums);
    if (existsSync(log)) problems.push(...touchedAgain(readFileSync(log, 'utf8'), life.failedAtMs, sums));
    if (round % 20 === 0) say(`${round} rounds, ${sums.failed} failed while open, ${sums.atOpen} at an open`);
  }
  if (life.isWell) await life.finish(random.below(2 ** 32));
  return {
    figures: { rounds, ...sums, ...checkFigures(life.report) },
    problems: [...checkProblems(life), ...problems],
  };
}

async function liveThroughFailure(
  life: StoreLife,
  random: Seeded,
  env: Readonly<Record<string, string>>,
  sums: Sums,
): Promise<void> {
  const child = life.start({ what: 'work', seed: random.below(2 ** 32) }, { env });
  const failed = (await child.says('open')) && (await waitForHealth(child, 'failed', 10_000));
  if (child.isGone) {
    sums.atOpen++;
    const refused = await life.endOrBeRefused(child, 'STORE_');
    if (!refused) life.problems.push('A process that works until it is killed has ended by itself.');
    return;
  }
  if (failed) {
    sums.failed++;
    if (await waitForHealth(child, 'open', REOPEN_MS_MAX)) sums.reopened++;
    else life.problems.push(`The store was not open again ${REOPEN_MS_MAX} ms after its sync failed.`);
  }
  await pause(random.below(100));
  child.kill();
  await life.end(child, 'killed');
}

/**
 * A file whose sync has failed is left alone: it is not synced again, and not written once its owner has heard of the failure, which
 * was before it told anybody else.
 */
function touchedAgain(log: string, toldAtMs: number, sums: Sums): string[] {
  const problems: string[] = [];
  for (const line of log.split('\n')) {
    const [atMs, what] = [Number.parseFloat(line), line.slice(line.indexOf(' ') + 1)];
    if (what === 'synced again') problems.push('A file was synced again after its sync had failed.');
    if (what !== 'written again') continue;
    if (atMs > toldAtMs) problems.push('A file was written after its sync had failed and the store had said so.');
    else sums.writesUntilHeard++;
  }
  return problems;
}

/** The disk's image lies in a memory file system that becomes full: the kernel itself reports EIO, once, and drops the pages. */
async function failForReal({ rounds = REAL_ROUNDS, seed, scratch, say }: RigSettings): Promise<RigOutcome> {
  const random = new Seeded(seed);
  const sums = { disks: 0, failed: 0, enqueued: 0, lost: 0, acksTakenBack: 0 };
  const problems: string[] = [];
  for (let round = 1; round <= Math.min(rounds, REAL_ROUNDS) && problems.length === 0; round++) {
    const memory = Disk.make(scratch, `memory-${round}`, 'tmpfs', 48 * MIB);
    const disk = Disk.make(memory.directory, 'disk', 'ext4', 256 * MIB);
    const life = new StoreLife({
      directory: join(disk.directory, 'store'),
      journal: join(scratch, `real-${round}.jsonl`),
      segmentBytes: 1 * MIB,
      check: { takenBackMs: 10_000 },
    });
    const child = life.start({ what: 'work', seed: random.below(2 ** 32) });
    await child.says('open');
    await pause(random.below(300));
    const ballast = fill(memory);
    if (await waitForHealth(child, 'failed', 30_000)) sums.failed++;
    else problems.push('Nothing failed although the disk below was full.');
    await pause(500);
    child.kill();
    await life.end(child, 'killed');
    rmSync(ballast);
    disk.restart();
    if (life.isWell) await life.finish(random.below(2 ** 32));
    problems.push(...checkProblems(life).map((problem) => `real EIO: ${problem}`));
    disk.remove();
    memory.remove();
    const { enqueued, lost, acksTakenBack } = life.report;
    sums.disks++;
    sums.enqueued += enqueued;
    sums.lost += lost;
    sums.acksTakenBack += acksTakenBack;
  }
  say(`real EIO on ${sums.failed} of ${sums.disks} disks: ${sums.lost} of ${sums.enqueued} answered jobs lost`);
  return { figures: { real: joined(sums) }, problems };
}

/** Takes all that is free, also what becomes free meanwhile. @returns the file that holds it */
function fill({ directory }: Disk): string {
  const path = join(directory, 'ballast');
  const piece = Buffer.alloc(MIB / 4, 1);
  try {
    for (;;) appendFileSync(path, piece);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
  return path;
}
