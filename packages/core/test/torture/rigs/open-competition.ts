import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Child } from '../machine/child-process.js';
import { giveOrder } from '../machine/give-order.js';
import { monotonicMs } from '../machine/monotonic.js';
import type { RigOutcome, RigSettings } from '../rig.js';

const READY = /^{"ready"/;
const KILL_EVERY_MS = 400;
/** Before the end, so that those who come last have started. */
const LAST_KILL_BEFORE_MS = 1500;

/** A time in which a process surely owned the store: from the answer of its open to the call of its close, or to its kill. */
interface Ownership {
  readonly fromMs: number;
  readonly toMs: number;
  /** A job that was added meanwhile was answered. */
  readonly stored: boolean;
}

interface Competitor {
  readonly child: Child;
  readonly done: Promise<{ readonly unexpected: readonly string[] } | undefined>;
  killedAtMs?: number;
}

/** Each process for itself, in no order: no two may ever own the store at the same time, and no job may be lost. */
export async function compete({ rounds = 40, scratch, say }: RigSettings, count: number): Promise<RigOutcome> {
  const directory = join(scratch, 'competed');
  const ready = () => new Child('opener.mjs', [directory]);
  const first = Array.from({ length: count }, ready);
  await Promise.all(first.map((child) => child.says(READY)));
  const untilMs = monotonicMs() + LAST_KILL_BEFORE_MS + rounds * KILL_EVERY_MS;
  const start = (child: Child): Competitor => {
    // One that is killed never says that it is done.
    const done = giveOrder<{ unexpected: string[] }>(child, `compete ${untilMs}`).catch(() => undefined);
    return { child, done };
  };
  const all = first.map(start);
  while (monotonicMs() < untilMs - LAST_KILL_BEFORE_MS) {
    await pause(KILL_EVERY_MS);
    const owner = all.find((each) => each.killedAtMs === undefined && isOwner(each.child));
    if (owner === undefined) continue;
    owner.killedAtMs = monotonicMs();
    owner.child.kill();
    all.push(start(ready()));
  }
  const answers = await Promise.all(all.map(({ done }) => done));
  const problems = answers
    .flatMap((answer) => answer?.unexpected ?? [])
    .map((told) => `A competitor was told ${told}.`);
  const owned = all.flatMap(ownershipsOf).sort((one, other) => one.fromMs - other.fromMs);
  problems.push(...overlaps(owned));
  const jobs = await jobsIn(directory);
  const stored = owned.filter((each) => each.stored).length;
  // A job may have been stored without its process having lived to say so.
  if (jobs < stored || jobs > owned.length)
    problems.push(`${stored} jobs were stored by ${owned.length} owners, ${jobs} are there.`);
  for (const { child } of all) child.kill();
  const kills = all.filter(({ killedAtMs }) => killedAtMs !== undefined).length;
  say(`${owned.length} owners one after the other, ${kills} of them killed`);
  return {
    figures: { competitors: count, owners: owned.length, ownersKilled: kills, jobsStored: stored, jobsFound: jobs },
    problems,
  };
}

interface OwnerLine {
  readonly owner: 'from' | 'stored' | 'to';
  readonly atMs: number;
}

function ownerLines(child: Child): OwnerLine[] {
  return child.lines.filter((line) => line.startsWith('{"owner"')).map((line) => JSON.parse(line) as OwnerLine);
}

function isOwner(child: Child): boolean {
  const last = ownerLines(child).at(-1);
  return last !== undefined && last.owner !== 'to';
}

function ownershipsOf({ child, killedAtMs }: Competitor): Ownership[] {
  const lines = ownerLines(child);
  return lines.flatMap(({ owner, atMs }, index) => {
    if (owner !== 'from') return [];
    const next = lines[index + 1];
    const end = lines.slice(index + 1).find((line) => line.owner === 'to');
    return [{ fromMs: atMs, toMs: end?.atMs ?? killedAtMs ?? atMs, stored: next?.owner === 'stored' }];
  });
}

function overlaps(owned: readonly Ownership[]): string[] {
  return owned.flatMap(({ fromMs }, index) => {
    const before = owned[index - 1];
    return before !== undefined && before.toMs > fromMs
      ? [`Two processes owned the store for ${Math.round(before.toMs - fromMs)} ms.`]
      : [];
  });
}

async function jobsIn(directory: string): Promise<number> {
  const child = new Child('opener.mjs', [directory]);
  const { jobs = -1 } = await giveOrder<{ readonly jobs?: number }>(child, 'count');
  child.kill();
  return jobs;
}
