import { JobColumns, ScheduleHeap, ScheduleWheel } from '@holdfast/core/records';
import { processorTime } from '../processor-time.js';

/**
 * Holds the wheel of scheduled jobs against the heap that it took the place of, over the same columns:
 * `npm run bench:scale -- --schedules`. Prints a table of processor time, in which waiting for a busy machine does not count.
 */
const NOW_MS = 1_790_000_000_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** So many become due from one look at the clock to the next. */
const JOBS_PER_LOOK = 100;
const BATCH = 1000;
const AHEAD_MOVES_MAX = 4000;
/** Few jobs are measured several times over. */
const MEASURED_MIN = 200_000;
const FEW = 10_000;

interface Schedule {
  readonly name: string;
  readonly fromMs: number;
  readonly spanMs: number;
}

const SCHEDULES: readonly Schedule[] = [
  { name: 'over a day, in no order', fromMs: 1, spanMs: DAY_MS },
  { name: 'within one hour a month from now', fromMs: 30 * DAY_MS, spanMs: HOUR_MS },
  { name: 'all at the same millisecond', fromMs: HOUR_MS, spanMs: 1 },
];

/** What both can do, in the words of this benchmark. */
interface Candidate {
  push(slot: number): void;
  /** @returns a job that is due, taken out; undefined without one */
  takeDue(nowMs: number): number | undefined;
  /** Called before jobs are taken. */
  look(nowMs: number): void;
  /** Whether the engine would look again at once. */
  wantsLook(nowMs: number): boolean;
}

function heap(columns: JobColumns): Candidate {
  const jobs = new ScheduleHeap(columns);
  return {
    push: (slot) => jobs.push(slot),
    look: () => {},
    wantsLook: () => false,
    takeDue: (nowMs) => {
      if (jobs.size === 0 || columns.runAtMs[jobs.top]! > nowMs) return undefined;
      const slot = jobs.top;
      jobs.removeAt(0);
      return slot;
    },
  };
}

function wheel(columns: JobColumns): Candidate {
  const jobs = new ScheduleWheel(columns);
  return {
    push: (slot) => jobs.push(slot),
    look: (nowMs) => jobs.advance(nowMs, AHEAD_MOVES_MAX),
    wantsLook: (nowMs) => jobs.nextMs <= nowMs,
    takeDue: (nowMs) => {
      const slot = jobs.firstDue(nowMs);
      if (slot !== undefined) jobs.remove(slot);
      return slot;
    },
  };
}

interface Figures {
  readonly insertMicros: number;
  readonly fireMicros: number;
  /** Processor time of the dearest look and of taking at most one batch after it. */
  readonly longestMs: number;
}

const [, , jobsText] = process.argv;
const many = Number(jobsText ?? 10_000_000);
process.stdout.write(
  '| times | structure | jobs | insert | fire | longest look |\n| --- | --- | --- | --- | --- | --- |\n',
);
for (const schedule of SCHEDULES) {
  for (const [name, make] of Object.entries({ heap, wheel })) {
    for (const jobs of [FEW, many]) print(schedule, name, jobs, measure(schedule, make, jobs));
  }
}

function print({ name }: Schedule, structure: string, jobs: number, figures: Figures): void {
  const cells = [
    name,
    structure,
    jobs.toLocaleString('en-US'),
    `${figures.insertMicros.toFixed(2)} µs`,
    `${figures.fireMicros.toFixed(2)} µs`,
    `${figures.longestMs.toFixed(1)} ms`,
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function measure(schedule: Schedule, make: (columns: JobColumns) => Candidate, jobs: number): Figures {
  let insertMs = 0;
  let fireMs = 0;
  let longestMs = 0;
  let measured = 0;
  for (; measured < MEASURED_MIN; measured += jobs) {
    const columns = filled(schedule, jobs);
    const candidate = make(columns);
    globalThis.gc?.();
    const startMs = processorMs();
    for (let slot = 0; slot < jobs; slot++) candidate.push(slot);
    const pushedMs = processorMs();
    longestMs = Math.max(longestMs, fireAll(schedule, columns, candidate, jobs));
    insertMs += pushedMs - startMs;
    fireMs += processorMs() - pushedMs;
  }
  return { insertMicros: (insertMs * 1000) / measured, fireMicros: (fireMs * 1000) / measured, longestMs };
}

/** Time passes in equal steps; at each all that is due is taken, a batch at a time. @returns processor time of the dearest look */
function fireAll({ fromMs, spanMs }: Schedule, columns: JobColumns, candidate: Candidate, jobs: number): number {
  const looks = jobs / JOBS_PER_LOOK;
  let longestMs = 0;
  let fired = 0;
  for (let look = 1; fired < jobs; look++) {
    const nowMs = NOW_MS + Math.ceil(((fromMs + spanMs) * look) / looks);
    let taken: number;
    do {
      const startMs = processorMs();
      candidate.look(nowMs);
      taken = takeBatch(columns, candidate, nowMs);
      fired += taken;
      longestMs = Math.max(longestMs, processorMs() - startMs);
    } while (taken === BATCH || candidate.wantsLook(nowMs));
  }
  return longestMs;
}

function takeBatch(columns: JobColumns, candidate: Candidate, nowMs: number): number {
  let lastMs = 0;
  for (let taken = 0; taken < BATCH; taken++) {
    const slot = candidate.takeDue(nowMs);
    if (slot === undefined) return taken;
    const runAtMs = columns.runAtMs[slot]!;
    if (runAtMs < lastMs || runAtMs > nowMs) throw new Error('A job came out of its order.');
    lastMs = runAtMs;
  }
  return BATCH;
}

function filled({ fromMs, spanMs }: Schedule, jobs: number): JobColumns {
  const columns = new JobColumns();
  for (let id = 1; id <= jobs; id++) {
    const slot = columns.allocate();
    columns.id[slot] = id;
    columns.enqueuedAtMs[slot] = NOW_MS;
    columns.runAtMs[slot] = NOW_MS + fromMs + ((id * 7_919) % spanMs);
  }
  return columns;
}

function processorMs(): number {
  return processorTime().process / 1000;
}
