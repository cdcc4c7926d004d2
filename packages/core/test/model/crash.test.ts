import { expect, it } from 'vitest';
import { chooseSeed } from '../sim/seeded-random.js';
import { CrashLife } from './crash-life.js';

const seed = chooseSeed();
const LIVES = Number(process.env.HOLDFAST_RUNS ?? 25);
const PROCESSES = 12;

const SIZES = {
  'segments of 64 KiB': { segmentBytes: 64 * 1024 },
  'a disk that is full at times': {
    segmentBytes: 1500,
    compactionStepJobs: 2,
    reserveBytes: 4096,
    fullAtTimes: true,
  },
  'tiny segments and compaction': { segmentBytes: 1500, compactionStepJobs: 2 },
};

for (const [what, sizes] of Object.entries(SIZES)) {
  it(`keeps all that was answered through crashes and failing disks: ${what} (seed ${seed}, ${LIVES} stores)`, {
    timeout: 300_000,
  }, () => {
    const sum = {
      opens: 0,
      faults: 0,
      lostAcks: 0,
      acted: 0,
      repeats: 0,
      duplicates: 0,
      movedJobs: 0,
      fills: 0,
      refusedAsFull: 0,
      refusedOpens: 0,
    };
    for (let life = 0; life < LIVES; life++) {
      const crash = new CrashLife(seed + life, sizes);
      try {
        for (let process = 0; process < PROCESSES; process++) crash.live(15);
        crash.drain();
      } catch (error) {
        throw new Error(`HOLDFAST_SEED=${seed + life} HOLDFAST_RUNS=1 shows it again`, { cause: error });
      }
      sum.opens += crash.opens;
      sum.faults += crash.faults;
      sum.lostAcks += crash.lostAcks;
      sum.acted += crash.acted;
      sum.repeats += crash.repeats;
      sum.duplicates += crash.duplicates;
      sum.movedJobs += crash.movedJobs;
      sum.fills += crash.fills;
      sum.refusedAsFull += crash.refusedAsFull;
      sum.refusedOpens += crash.refusedOpens;
    }
    // The lives are rough enough: processes ended or disks failed in the midst of work, and the machine took back unsynced acks.
    expect(sum.opens).toBeGreaterThan(LIVES * PROCESSES);
    expect(sum.faults).toBeGreaterThan(LIVES);
    expect(sum.acted).toBeGreaterThan(LIVES);
    expect(sum.repeats).toBeGreaterThan(LIVES);
    expect(sum.duplicates).toBeGreaterThan(LIVES);
    if ('fullAtTimes' in sizes) expect(Math.min(sum.fills, sum.refusedAsFull)).toBeGreaterThan(LIVES);
    console.log(`${what}: ${JSON.stringify(sum)}`);
    if (sizes.segmentBytes < 64 * 1024) expect(sum.movedJobs).toBeGreaterThan(LIVES);
    // Each new segment makes the acks before it durable: with tiny ones few are left to be lost.
    else expect(sum.lostAcks).toBeGreaterThan(0);
  });
}
