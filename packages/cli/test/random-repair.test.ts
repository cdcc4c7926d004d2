import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { Dice, type JobFacts, makeRandomLog, openStill, statesOf } from './random-log.js';
import { holdfast, jsonLines, segmentsOf, stateOf } from './rig.js';

const SEED = Number(process.env.HOLDFAST_SEED ?? Math.floor(Math.random() * 2 ** 32));
const RUNS = Number(process.env.HOLDFAST_RUNS ?? 15);

interface Report {
  readonly nothingLost: boolean;
  readonly damage: readonly { readonly recordsLost: number | null }[];
  readonly jobsLost: readonly { readonly job: string }[];
  readonly jobsNeverSeen: readonly { readonly firstJob: string; readonly lastJob: string | null }[];
  readonly completedJobsWithoutBeginning: number;
  readonly mayComeBack: { readonly likely: readonly string[]; readonly possible: readonly string[] };
}

interface Damage {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

it(`repairs ${RUNS} random logs with random damage (HOLDFAST_SEED=${SEED})`, async () => {
  for (let round = 0; round < RUNS; round++) {
    const dice = new Dice(SEED + round);
    const parent = mkdtempSync(join(tmpdir(), 'holdfast-random-'));
    try {
      const { directory, jobs } = await makeRandomLog(parent, dice);
      const whole = jsonLines((await holdfast(['dump', directory])).out);
      const damages = hurt(directory, dice);
      const context = `HOLDFAST_SEED=${SEED + round} HOLDFAST_RUNS=1: ${JSON.stringify(damages)}`;
      await expectRepair(directory, join(parent, 'new'), { jobs, whole, damages, context });
    } finally {
      rmSync(parent, { recursive: true, force: true });
    }
  }
}, 120_000);

interface Expected {
  readonly jobs: ReadonlyMap<string, JobFacts>;
  readonly whole: readonly Record<string, unknown>[];
  readonly damages: readonly Damage[];
  readonly context: string;
}

async function expectRepair(directory: string, target: string, expected: Expected): Promise<void> {
  const { jobs, whole, damages, context } = expected;
  const before = stateOf(directory);
  const { code, out, err } = await holdfast(['repair', directory, '--to', target, '--json']);
  expect(err, context).toBe('');
  const report = JSON.parse(out) as Report;
  expect(code, context).toBe(report.nothingLost ? 0 : 1);
  expect(stateOf(directory), context).toEqual(before);
  expect((await holdfast(['verify', target])).code, context).toBe(0);

  const reread = join(target, '..', 'reread');
  cpSync(target, reread, { recursive: true });
  const kept = keptStates((await holdfast(['dump', target])).out);
  const store = await openStill(reread);
  const states = await statesOf(store);
  expect(new Set(states.keys()), context).toEqual(new Set(kept.keys()));
  for (const id of states.keys()) {
    expect(jobs.has(id), `${id} never existed; ${context}`).toBe(true);
    expect((await store.job(id))?.payload, `${id}; ${context}`).toBe(jobs.get(id)?.payload);
  }
  const [job] = await store.enqueue([{ queue: 'new', name: 'n', payload: '' }]);
  const [lease] = await store.claim({ queues: ['new'], limit: 1, leaseMs: 1000, worker: 'w' });
  await store.close();
  expect(numberOf(job?.id ?? ''), context).toBeGreaterThan(Math.max(...[...jobs.keys()].map(numberOf)));
  const tokens = JSON.stringify(whole).matchAll(/"token":"([^"]+)"/g);
  for (const [, token = ''] of tokens) expect((lease?.token ?? '') > token, context).toBe(true);

  const hurtJobs = jobsIn(whole, damages);
  const back = new Set([...report.mayComeBack.likely, ...report.mayComeBack.possible]);
  let completed = 0;
  for (const [id, { state }] of jobs) {
    const now = kept.get(id);
    if (!hurtJobs.has(id))
      expect(now, `${id} lies outside; ${context}`).toBe(
        state === 'scheduled' ? 'ready' : state === 'ready' ? 'ready' : state,
      );
    if (now === undefined && !isNamedLost(report, id)) completed++;
    const cameBack = state === 'completed' && (now === 'ready' || now === 'leased');
    if (cameBack) expect(back.has(id), `${id} came back unnamed; ${context}`).toBe(true);
  }
  expect(completed, `completed jobs that are not kept; ${context}`).toBeLessThanOrEqual(
    report.completedJobsWithoutBeginning,
  );
}

/** The states that the records of a dump lead to; scheduled counts as ready. */
function keptStates(out: string): Map<string, string> {
  const states = new Map<string, string>();
  const after: Record<string, string> = {
    ENQUEUE: 'ready',
    ATTEMPT: 'leased',
    ACK: 'completed',
    RETRY: 'ready',
    DEAD: 'dead',
    RELEASE: 'ready',
    REDRIVE: 'ready',
  };
  for (const line of jsonLines(out))
    for (const job of jobsOfLine(line)) states.set(job, after[String(line.name)] ?? '');
  return states;
}

function jobsOfLine({ job, items }: Record<string, unknown>): string[] {
  const many = Array.isArray(items) ? items.map((item: { job: string }) => item.job) : [];
  return typeof job === 'string' ? [job, ...many] : many;
}

/** Jobs of which a record lies in a frame that was hurt, or in a file that is gone. */
function jobsIn(whole: readonly Record<string, unknown>[], damages: readonly Damage[]): Set<string> {
  const hurt = new Set<string>();
  let frame = { from: 0, to: 0 };
  let file = '';
  for (const line of whole) {
    if (line.type === 'segment') file = String(line.file);
    if (line.type === 'frame') {
      const from = Number(line.offset);
      frame = { from, to: from + 64 + Math.ceil(Number(line.recordsBytes) / 8) * 8 };
    }
    const isHurt = damages.some(({ file: name, from, to }) => name === file && from < frame.to && to > frame.from);
    if (line.type === 'record' && isHurt) for (const job of jobsOfLine(line)) hurt.add(job);
  }
  return hurt;
}

function isNamedLost({ jobsLost, jobsNeverSeen }: Report, id: string): boolean {
  if (jobsLost.some(({ job }) => job === id)) return true;
  return jobsNeverSeen.some(({ firstJob, lastJob }) => {
    return numberOf(id) >= numberOf(firstJob) && (lastJob === null || numberOf(id) <= numberOf(lastJob));
  });
}

function numberOf(id: string): number {
  return Number.parseInt(id.split('-')[1] ?? '', 36);
}

/** One to three places: a flipped bit, a range of zeros or garbage, or a file that is gone. */
function hurt(directory: string, dice: Dice): Damage[] {
  return Array.from({ length: 1 + dice.below(3) }, () => {
    const files = segmentsOf(directory);
    // The last two may end torn, which is no damage.
    const path = files[dice.below(Math.max(1, files.length - 2))] ?? '';
    const bytes = readFileSync(path);
    const file = basename(path);
    const how = dice.below(8);
    const from = dice.below(bytes.length);
    const to = how < 4 ? from + 1 : Math.min(bytes.length, from + 1 + dice.below(600));
    if (how === 7 && files.length > 4) {
      rmSync(path);
      return { file, from: 0, to: Number.POSITIVE_INFINITY };
    }
    for (let at = from; at < to; at++)
      bytes[at] = how < 4 ? bytes[at]! ^ (1 << dice.below(8)) : how === 4 ? 0 : dice.below(256);
    writeFileSync(path, bytes);
    return { file, from, to };
  });
}
