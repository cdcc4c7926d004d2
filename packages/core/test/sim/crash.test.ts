import { expect, it } from 'vitest';
import { LogLife } from './log-life.js';
import { chooseSeed, SeededRandom } from './seeded-random.js';
import { SimDisk } from './sim-disk.js';
import type { Fault } from './sim-file-system.js';

const LIVES = 1000;
const PROCESSES = 6;
const STEPS = 60;
const FAULTS: readonly Fault[] = ['end', 'end', 'end', 'EIO', 'ENOSPC'];

interface Tally {
  readonly ends: Record<string, number>;
  opens: number;
  torn: number;
  rotations: number;
}

/** One log, ended in some way again and again: while it works, and while it recovers. */
function liveThrough(seed: number, tally: Tally): void {
  const random = new SeededRandom(seed);
  const life = new LogLife(new SimDisk(), random, random.pick([600, 2000, 6000]));
  for (let process = 0; process < PROCESSES; process++) {
    const plan = random.chance(0.9) ? { atStep: random.below(STEPS), fault: random.pick(FAULTS) } : undefined;
    // With few turns the fault often falls into the open.
    const { end } = life.live(random.pick([0, 3, 30]), plan);
    tally.ends[end] = (tally.ends[end] ?? 0) + 1;
  }
  expectSameTwice(life);
  tally.opens += life.opens;
  tally.torn += life.torn;
  tally.rotations += life.rotations;
}

/** An open finds all that was promised; the next one, even after a power cut, finds the same. */
function expectSameTwice(life: LogLife): void {
  expect(life.live(0).recovery).toBeDefined();
  const { values } = life;
  life.powerLost();
  expect(life.live(0).recovery).toBeDefined();
  expect(life.values).toEqual(values);
}

it('loses nothing durable and never takes a crash for damage', () => {
  const seed = chooseSeed();
  const tally: Tally = { ends: {}, opens: 0, torn: 0, rotations: 0 };
  for (let index = 0; index < LIVES; index++) {
    const lifeSeed = (seed + index) >>> 0;
    try {
      liveThrough(lifeSeed, tally);
    } catch (error) {
      throw new Error(`seed ${lifeSeed} fails: HOLDFAST_SEED=${lifeSeed} replays it as the first one`, {
        cause: error,
      });
    }
  }
  console.log(`crash test, seed ${seed}: ${JSON.stringify(tally)}`);
  const { crash = 0, kill = 0, failure = 0 } = tally.ends;
  expect(crash + kill + failure).toBeGreaterThan(3000);
  expect(tally.torn).toBeGreaterThan(100);
  expect(tally.rotations).toBeGreaterThan(100);
});

it('recovers from a recovery that ended at any of its steps', () => {
  const seed = chooseSeed();
  let interrupted = 0;
  for (let index = 0; index < 60; index++) {
    const lifeSeed = (seed + index) >>> 0;
    try {
      interrupted += interruptEachStep(lifeSeed);
    } catch (error) {
      throw new Error(`seed ${lifeSeed} fails: HOLDFAST_SEED=${lifeSeed} replays it as the first one`, {
        cause: error,
      });
    }
  }
  console.log(`interrupted recoveries, seed ${seed}: ${interrupted}`);
  expect(interrupted).toBeGreaterThan(500);
});

/** The same log again and again, its recovery ended one step later each time. @returns how many were ended */
function interruptEachStep(seed: number): number {
  for (let step = 0; ; step++) {
    const random = new SeededRandom(seed);
    const life = new LogLife(new SimDisk(), random, random.pick([600, 2000, 6000]));
    life.live(30);
    life.live(10, { atStep: 10 + random.below(20), fault: 'end' });
    const { steps } = life.live(0, { atStep: step, fault: 'end' });
    // A plan beyond the last step of an open interrupts nothing.
    if (steps <= step) return step;
    expectSameTwice(life);
  }
}
