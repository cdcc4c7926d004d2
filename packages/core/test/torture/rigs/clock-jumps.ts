import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkProblems, lifeInShort } from '../check-figures.js';
import { FakeClock } from '../machine/fake-clock.js';
import { HeldJobs, type OrderAnswer } from '../machine/held-jobs.js';
import { StoreLife } from '../machine/store-life.js';
import { CannotRunError, type RigOutcome, type RigSettings } from '../rig.js';
import { Seeded } from '../seeded.mjs';

const HOUR_MS = 3_600_000;
const LEASE_MS = 1500;
/** An application is asked for a sign of life first, and asked again after a second. */
const EXPIRY_LATE_MS_MAX = 1500;
const START_LATE_MS_MAX = 1000;
/** An idle engine looks at the wall clock once a minute. */
const IDLE_LATE_MS_MAX = 62_000;

/** Leases know nothing of the wall clock; jobs with a start time know nothing else. */
export async function jumpUnderLeases({ rounds = 10, seed, scratch, say }: RigSettings): Promise<RigOutcome> {
  const random = new Seeded(seed);
  const clock = new FakeClock(scratch, 'jumps');
  const jobs = await HeldJobs.start(join(scratch, 'jumps'), LEASE_MS, clock.env);
  await requireJumps(jobs, clock);
  const problems: string[] = [];
  const latest = { expiryMs: 0, startMs: 0 };
  const expect = (holds: boolean, what: string, answer: OrderAnswer) => {
    if (!holds) problems.push(`${what}: ${JSON.stringify(answer)}`);
  };
  let offsetMs = 0;
  const jumpTo = (ms: number) => {
    offsetMs = ms;
    clock.set(ms);
  };
  const hours = () => (1 + random.below(12)) * HOUR_MS;
  for (let round = 1; round <= rounds && problems.length === 0; round++) {
    const forward = round % 2 === 0;
    const expiry = jobs.order(`expire ${LEASE_MS}`);
    const delayed = jobs.order('delay 800 poll');
    await pause(300);
    jumpTo(offsetMs + (forward ? hours() : -hours()));
    if (!forward) {
      // What was to start at a time waits for that time: it is as far away as the clock was set back.
      await pause(1200);
      jumpTo(offsetMs + 13 * HOUR_MS);
    }
    const [ended, started] = [await expiry, await delayed];
    expect((ended.atMostMs ?? 0) >= LEASE_MS, 'A lease ended early', ended);
    expect((ended.afterMs ?? 0) <= LEASE_MS + EXPIRY_LATE_MS_MAX, 'A lease ended late', ended);
    expect(
      started.started === true && (started.afterMs ?? 0) < 3000,
      'A delayed job was not started after the clock had passed its time',
      started,
    );
    const [later, now] = [await jobs.order('delay 300'), await jobs.order('ready')];
    expect(
      (later.afterMs ?? 0) >= 299 && (later.afterMs ?? 0) <= 300 + START_LATE_MS_MAX,
      'A delay was not kept after the jump',
      later,
    );
    expect((now.afterMs ?? 0) <= START_LATE_MS_MAX, 'A job was not started at once after the jump', now);
    latest.expiryMs = Math.max(latest.expiryMs, (ended.afterMs ?? 0) - LEASE_MS);
    latest.startMs = Math.max(latest.startMs, (later.afterMs ?? 0) - 300);
  }
  const held = await jobs.finish();
  say(
    `${rounds} jumps: leases ended at most ${Math.round(latest.expiryMs)} ms late, delayed jobs started at most ${Math.round(latest.startMs)} ms late`,
  );
  return {
    figures: { jumps: rounds, latestExpiryMs: Math.round(latest.expiryMs), latestStartMs: Math.round(latest.startMs) },
    problems: [...problems, ...held.problems],
  };
}

/** Nothing happens in the store when the clock is set forward: it has to look by itself. */
export async function jumpWhileIdle({ scratch, say }: RigSettings): Promise<RigOutcome> {
  const clock = new FakeClock(scratch, 'idle');
  const jobs = await HeldJobs.start(join(scratch, 'idle'), LEASE_MS, clock.env, 0);
  const delayed = jobs.order(`delay ${HOUR_MS}`);
  await pause(1000);
  clock.set(5 * HOUR_MS);
  const { started, afterMs = Number.POSITIVE_INFINITY } = await delayed;
  const { problems } = await jobs.finish();
  const late = Math.round(afterMs - 1000);
  say(`an idle store noticed after ${late} ms that its clock was set forward`);
  if (!started || late > IDLE_LATE_MS_MAX)
    problems.push(`A job was started ${late} ms after the clock had passed its time.`);
  return { figures: { idleNoticedAfterMs: late }, problems };
}

/** Producers and consumers at work while the clock jumps, killed now and then. */
export async function jumpAtWork({ rounds = 10, seed, scratch }: RigSettings): Promise<RigOutcome> {
  const random = new Seeded(seed + 2);
  const clock = new FakeClock(scratch, 'work');
  const life = new StoreLife({
    directory: join(scratch, 'jumps-at-work'),
    journal: join(scratch, 'jumps-at-work.jsonl'),
    segmentBytes: 256 * 1024,
    check: { wallClockIsSet: true },
  });
  for (let round = 1; round <= Math.ceil(rounds / 2) && life.isWell; round++) {
    const child = life.start({ what: 'work', seed: random.below(2 ** 32) }, { env: clock.env });
    await child.says('open');
    for (let jumps = 0; jumps < 5; jumps++) {
      await pause(random.below(300));
      clock.set((random.fraction() - 0.5) * 20 * HOUR_MS);
    }
    child.kill();
    await life.end(child, 'killed');
  }
  // All that was ever put off is due then.
  clock.set(24 * HOUR_MS);
  if (life.isWell) await life.finish(random.below(2 ** 32), { env: clock.env });
  return { figures: { jumpedAtWork: lifeInShort(life) }, problems: checkProblems(life) };
}

/** Both threads of the child have to see the clock that is set here; else nothing would be tested. */
async function requireJumps(jobs: HeldJobs, clock: FakeClock): Promise<void> {
  clock.set(5 * HOUR_MS);
  const { here = 0, engine = 0 } = await jobs.order('wall');
  clock.set(0);
  const aheadMs = [here, engine].map((ms) => ms - Date.now());
  if (aheadMs.some((ms) => Math.abs(ms - 5 * HOUR_MS) > 60_000)) {
    throw new CannotRunError(`libfaketime does not set the clock of both threads: ${aheadMs.join(', ')} ms`);
  }
}
