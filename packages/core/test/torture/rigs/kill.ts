import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFigures, checkProblems } from '../check-figures.js';
import type { OwnEnd } from '../machine/life-plan.js';
import { StoreLife } from '../machine/store-life.js';
import type { Rig } from '../rig.js';
import { Seeded } from '../seeded.mjs';

const ROUNDS = 200;

/** When a process is killed; the times are drawn from the seed. */
type Moment =
  | { readonly when: 'opening'; readonly afterMs: number }
  | { readonly when: 'working'; readonly afterMs: number }
  | ({ readonly when: 'noted' } & OwnEnd);

/** Kills producers and consumers with SIGKILL, at random moments, opens again, and checks all that they were answered. */
export const kill: Rig = {
  name: 'kill',
  about: 'SIGKILL and process.exit at random moments: in the open, at work, between a note and its call',
  async run({ rounds = ROUNDS, seed, scratch, say }) {
    const random = new Seeded(seed);
    const life = new StoreLife({
      directory: join(scratch, 'store'),
      journal: join(scratch, 'journal.jsonl'),
      segmentBytes: random.pick([64 * 1024, 64 * 1024, 256 * 1024]),
    });
    for (let round = 1; round <= rounds && life.isWell; round++) {
      await liveAndDie(life, drawMoment(random), random.below(2 ** 32));
      if (round % 25 === 0) say(`${round} rounds, ${life.report.enqueued} jobs enqueued, ${life.report.acked} acked`);
    }
    if (life.isWell) await life.finish(random.below(2 ** 32));
    return { figures: { rounds, ...checkFigures(life.report) }, problems: checkProblems(life) };
  },
};

function drawMoment(random: Seeded): Moment {
  const dice = random.fraction();
  if (dice < 0.15) return { when: 'opening', afterMs: random.below(60) };
  if (dice < 0.6) return { when: 'working', afterMs: random.below(300) };
  return { when: 'noted', afterLines: 1 + random.below(600), by: dice < 0.9 ? 'kill' : 'exit' };
}

async function liveAndDie(life: StoreLife, moment: Moment, seed: number): Promise<void> {
  const end = moment.when === 'noted' ? { ownEnd: moment } : {};
  const child = life.start({ what: 'work', seed, ...end });
  if (moment.when !== 'noted') {
    await child.says(moment.when === 'opening' ? 'opening' : 'open');
    await pause(moment.afterMs);
    child.kill();
  }
  await life.end(child, 'killed');
}
