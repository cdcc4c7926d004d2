import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../machine/child-process.js';
import { giveOrder } from '../machine/give-order.js';
import { monotonicMs } from '../machine/monotonic.js';
import type { Rig, RigOutcome, RigSettings } from '../rig.js';
import { Seeded } from '../seeded.mjs';
import { compete } from './open-competition.js';

const ROUNDS = 40;
const OPENERS = 50;
const THREADS = 8;
const COMPETITORS = 10;

interface OpenAnswer {
  readonly result: string;
  readonly holderPid?: number;
}

/** Many processes open one store at the same moment: one gets it. Owners close in order or are killed; their lock file stays. */
export const openers: Rig = {
  name: 'openers',
  about: `${OPENERS} processes that open one directory at once, and threads of one process`,
  async run(settings) {
    const raced = await race(settings, OPENERS);
    const competed = await compete(settings, COMPETITORS);
    return { figures: { ...raced.figures, ...competed.figures }, problems: [...raced.problems, ...competed.problems] };
  },
};

export async function race({ rounds = ROUNDS, seed, scratch, say }: RigSettings, count: number): Promise<RigOutcome> {
  const random = new Seeded(seed);
  const directory = join(scratch, 'raced');
  const children = Array.from({ length: count }, () => new Child('opener.mjs', [directory]));
  const sums = { openers: count, rounds: 0, kills: 0, refused: 0, toldFormerHolder: 0, toldNobody: 0 };
  const problems: string[] = [];
  for (let round = 1; round <= rounds && problems.length === 0; round++) {
    sums.rounds++;
    const atMs = monotonicMs() + (round === 1 ? 100 * count : 100);
    const answers = await Promise.all(children.map((child) => giveOrder<OpenAnswer>(child, `open ${atMs}`)));
    const owners = children.filter((_, index) => answers[index]?.result === 'open');
    problems.push(...wrongAnswers(answers, owners, sums));
    const [owner] = owners;
    if (owner === undefined) break;
    const again = await giveOrder<OpenAnswer>(owner, 'again');
    if (again.result !== 'STORE_LOCKED' || again.holderPid !== owner.pid)
      problems.push(`The owner opened again: ${JSON.stringify(again)}`);
    if (random.chance(0.5)) await giveOrder(owner, 'close');
    else {
      sums.kills++;
      owner.kill();
      await owner.ended;
      children[children.indexOf(owner)] = new Child('opener.mjs', [directory]);
    }
    if (!existsSync(join(directory, 'lock')))
      problems.push('The lock file was not left behind: this round has shown nothing.');
    if (round % 10 === 0) say(`${round} rounds of ${count} openers`);
  }
  problems.push(...(await raceInThreads(children[0])));
  for (const child of children) child.kill();
  await Promise.all(children.map((child) => child.ended));
  return { figures: { ...sums, threads: THREADS }, problems };
}

function wrongAnswers(
  answers: readonly OpenAnswer[],
  owners: readonly Child[],
  sums: { refused: number; toldFormerHolder: number; toldNobody: number },
): string[] {
  const problems = owners.length === 1 ? [] : [`${owners.length} of ${answers.length} openers own the store.`];
  for (const { result, holderPid } of answers) {
    if (result === 'open') continue;
    sums.refused++;
    if (result !== 'STORE_LOCKED') problems.push(`An opener was told ${result}.`);
    // The owner writes its pid into the file after it has the lock: who asks in between is told who was there before.
    if (holderPid === undefined) sums.toldNobody++;
    else if (holderPid !== owners[0]?.pid) sums.toldFormerHolder++;
  }
  return problems;
}

async function raceInThreads(child: Child | undefined): Promise<string[]> {
  if (child === undefined) return [];
  const { results } = await giveOrder<{ readonly results: readonly string[] }>(child, `threads ${THREADS}`);
  const opened = results.filter((result) => result === 'open').length;
  const refused = results.filter((result) => result === 'STORE_LOCKED').length;
  return opened === 1 && refused === THREADS - 1 ? [] : [`Of ${THREADS} threads: ${results.join(', ')}`];
}
