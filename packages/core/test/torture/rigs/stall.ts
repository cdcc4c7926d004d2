import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkProblems, lifeInShort } from '../check-figures.js';
import { fakeTimeLibrary } from '../machine/fake-clock.js';
import { HeldJobs } from '../machine/held-jobs.js';
import { StoreLife } from '../machine/store-life.js';
import type { Rig, RigOutcome, RigSettings } from '../rig.js';
import { Seeded } from '../seeded.mjs';
import { jumpAtWork, jumpUnderLeases, jumpWhileIdle } from './clock-jumps.js';

const ROUNDS = 10;
const LEASE_MS = 600;

/** Stops processes, blocks event loops and sets the wall clock, while leases run and jobs wait for their time. */
export const stall: Rig = {
  name: 'stall',
  about: 'stopped processes, blocked event loops, and a wall clock that is set by hours (libfaketime)',
  async run(settings) {
    const outcomes = [await holdThroughStalls(settings), await stopAtWork(settings)];
    if (fakeTimeLibrary() === undefined) settings.say('no jumps of the clock: apt-get install faketime');
    else outcomes.push(await jumpUnderLeases(settings), await jumpWhileIdle(settings), await jumpAtWork(settings));
    return {
      figures: Object.assign({}, ...outcomes.map(({ figures }) => figures)),
      problems: outcomes.flatMap(({ problems }) => problems),
    };
  },
};

/** A worker holds jobs through stops and blocks of three times their lease: each runs once. */
export async function holdThroughStalls({ rounds = ROUNDS, seed, scratch, say }: RigSettings): Promise<RigOutcome> {
  const random = new Seeded(seed);
  const jobs = await HeldJobs.start(join(scratch, 'held'), LEASE_MS);
  const sums = { stops: 0, blocks: 0 };
  for (let round = 1; round <= rounds; round++) {
    if (random.chance(0.5)) {
      await jobs.child.stop();
      await pause(3 * LEASE_MS);
      jobs.child.continue();
      sums.stops++;
    } else {
      await jobs.order(`block ${3 * LEASE_MS}`);
      sums.blocks++;
    }
    await pause(random.below(LEASE_MS));
  }
  const { problems, stallMsMax } = await jobs.finish();
  say(`${sums.stops} stops and ${sums.blocks} blocks of ${3 * LEASE_MS} ms under leases of ${LEASE_MS} ms`);
  return { figures: { ...sums, longestStallMs: stallMsMax }, problems };
}

/** Producers and consumers are stopped again and again, then killed. */
async function stopAtWork({ rounds = ROUNDS, seed, scratch }: RigSettings): Promise<RigOutcome> {
  const random = new Seeded(seed + 1);
  const life = new StoreLife({
    directory: join(scratch, 'stopped'),
    journal: join(scratch, 'stopped.jsonl'),
    segmentBytes: 256 * 1024,
  });
  for (let round = 1; round <= Math.ceil(rounds / 2) && life.isWell; round++) {
    const child = life.start({ what: 'work', seed: random.below(2 ** 32) });
    await child.says('open');
    for (let stops = 0; stops < 4; stops++) {
      await pause(random.below(300));
      await child.stop();
      await pause(random.below(1500));
      child.continue();
    }
    await pause(random.below(300));
    child.kill();
    await life.end(child, 'killed');
  }
  if (life.isWell) await life.finish(random.below(2 ** 32));
  return { figures: { stoppedAtWork: lifeInShort(life) }, problems: checkProblems(life) };
}
