import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { StoreLockedError } from '@holdfast/contract';
import { DEFAULT_RETENTION } from '@holdfast/contract/rules';
import { keepOwnersOut, LogSnapshot, NodeFileSystem } from '@holdfast/core/log';
import { JobTable } from '@holdfast/core/records';
import type { CommandContext } from '../command-context.js';
import type { RepairCommand } from '../command-line.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { type LogSurvey, surveyLog } from '../salvage/log-survey.js';
import type { TornEnd } from '../salvage/segment-walk.js';
import { openSource } from '../source/open-source.js';
import type { Progress } from '../terminal/progress.js';
import { visibleJsonLines } from '../terminal/visible-text.js';
import { countJobs, type JobFigures } from '../verify/job-figures.js';
import { verifyLog } from '../verify/verify.js';
import { ENQUEUE_BYTES_MIN, GapJudge } from './gap-judge.js';
import { HistoryWriter } from './history-writer.js';
import { LeaseSurvey, type OrphanedLease } from './lease-survey.js';
import { type ComingBack, Loss } from './loss.js';
import { EmptySink, LogSink, type RecordSink } from './record-sink.js';
import { isWhole, repairJson } from './repair-report.js';
import { printRepair } from './repair-text.js';
import { readSalvaged } from './salvaged-log.js';
import { LogTarget, type Origin, requireEmptyTarget } from './target.js';

/** Files behind the last one that is left may have held any number of jobs and opens. */
const MISSING_IDS = 2 ** 30;
const MISSING_EPOCHS = 1024;

export interface Repair {
  readonly source: string;
  /** `undefined`: nothing was written. */
  readonly target: string | undefined;
  readonly survey: LogSurvey;
  readonly storeId: Uint8Array;
  /** The end that was never answered as durable, if there is one. */
  readonly torn: (TornEnd & { readonly file: string }) | undefined;
  readonly loss: Loss;
  readonly comingBack: ComingBack;
  readonly jobs: JobFigures;
}

/** Copies all of a log that is provably whole into a new one. The source is kept from being opened meanwhile, and never changed. */
export async function repair(command: RepairCommand, context: CommandContext): Promise<ExitCode> {
  const { directory, target, dryRun } = command;
  const snapshot = openSource(directory);
  const lock = keepOwnersOut(directory);
  try {
    if (lock !== undefined && 'holderPid' in lock) throw new StoreLockedError(directory, lock.holderPid);
    requireEmptyTarget(directory, target);
    const done = repairLog(snapshot, dryRun ? undefined : target, context);
    context.progress.clear();
    if (command.json) context.out.jsonLines(repairJson(done));
    else printRepair(done, target, context.out);
    await context.out.flush();
    return isWhole(done) ? EXIT.sound : EXIT.damaged;
  } finally {
    if (lock !== undefined && 'unlock' in lock) lock.unlock();
    snapshot.close();
  }
}

function repairLog(snapshot: LogSnapshot, target: string | undefined, context: CommandContext): Repair {
  const survey = surveyLog(snapshot);
  const { origin, orphans, torn } = readFirst(survey, context.progress);
  const base = { source: snapshot.directory, target, survey, storeId: origin.storeId, torn };
  if (target === undefined) return { ...base, ...writeHistory(survey, new EmptySink(), orphans, context.progress) };
  const requireFree = () => requireEmptyTarget(snapshot.directory, target);
  const place = { directory: target, unfinished: 'unfinished', requireFree };
  const made = LogTarget.begin(place, origin, { now: context.now, monotonicMs: () => performance.now() });
  try {
    const sink = new LogSink(made.log, origin.idFloor);
    const done = { ...base, ...writeHistory(survey, sink, orphans, context.progress) };
    made.log.close();
    requireSound(made.unfinished, done.jobs, context.progress);
    made.place('repair-report.json', `${visibleJsonLines(repairJson(done))}\n`);
    return done;
  } catch (error) {
    made.discard();
    throw error;
  }
}

/** Where the new log goes on from, and what the second reading has to know beforehand. */
function readFirst(survey: LogSurvey, progress: Progress) {
  const leases = new LeaseSurvey();
  let torn: Repair['torn'];
  let lastSeq = 0;
  let lostBytes = 0;
  let missingEnd = false;
  readSalvaged(survey, progress, 'Reading', {
    record: (record) => leases.record(record),
    gapEnds: (gap) => {
      lastSeq = Math.max(lastSeq, gap.lastSeq ?? 0);
      lostBytes += gap.bytes;
      missingEnd = gap.lastSeq === undefined;
    },
    torn: ({ name }, end) => {
      torn = { ...end, file: name };
    },
    frame: (seq) => {
      lastSeq = seq;
      missingEnd = false;
    },
  });
  const origin = originOf(survey, { lastSeq, lostBytes, missingEnd, lastId: leases.lastId });
  return { origin, orphans: leases.orphans, torn };
}

interface Reached {
  readonly lastSeq: number;
  readonly lastId: number;
  readonly lostBytes: number;
  /** It is not known how far the log went. */
  readonly missingEnd: boolean;
}

function originOf({ segments, newest }: LogSurvey, { lastSeq, lastId, lostBytes, missingEnd }: Reached): Origin {
  const headers = segments.flatMap(({ header }) => (header === undefined ? [] : [header]));
  const idFloor = Math.max(lastId + 1, ...headers.map((header) => header.idFloor));
  const hiddenIds = Math.ceil(lostBytes / ENQUEUE_BYTES_MIN) + (missingEnd ? MISSING_IDS : 0);
  const epoch = Math.max(0, ...headers.map((header) => header.epoch));
  const hiddenEpochs = missingEnd || headers.length < segments.length ? MISSING_EPOCHS : 0;
  return {
    storeId: newest?.storeId ?? new Uint8Array(randomBytes(16)),
    segmentNumber: Math.max(0, ...segments.map(({ number }) => number)) + (missingEnd ? MISSING_EPOCHS : 0) + 1,
    epoch: epoch + hiddenEpochs,
    firstSeq: lastSeq + 1,
    idFloor: idFloor + hiddenIds,
    rankFloorMs: 0,
  };
}

/** Every id that a retired segment gave out is below it; 0 where none was retired, or nobody knows. */
function retiredBelowId({ segments, newest }: LogSurvey): number {
  const first = newest?.minSegment ?? 1;
  return first === 1 ? 0 : (segments.find(({ number }) => number === first)?.header?.idFloor ?? 0);
}

function writeHistory(survey: LogSurvey, sink: RecordSink, orphans: readonly OrphanedLease[], progress: Progress) {
  const table = new JobTable(DEFAULT_RETENTION);
  const loss = new Loss();
  loss.retiredBelowId = retiredBelowId(survey);
  const writer = new HistoryWriter(table, sink, loss, orphans);
  const judge = new GapJudge(table, writer, sink, loss);
  readSalvaged(survey, progress, 'Copying', {
    segment: (segment) => judge.segment(segment),
    record: (record) => {
      judge.before(record);
      writer.record(record);
      judge.after(record);
    },
    frameEnd: () => sink.endFrame(),
    gapBegins: (gap) => judge.gapBegins(gap),
    gapEnds: () => judge.gapEnds(),
  });
  judge.finish();
  return { loss, comingBack: judge.comingBack(), jobs: countJobs(table) };
}

/** Reads the new log again as an open will. Anything but the expected is a mistake of this program: nothing is put in its place. */
function requireSound(directory: string, jobs: JobFigures, progress: Progress): void {
  const snapshot = LogSnapshot.take(new NodeFileSystem(), directory);
  try {
    const { verdict, jobs: found } = verifyLog(snapshot, progress);
    const isSame = JSON.stringify(found) === JSON.stringify(jobs);
    if (verdict.kind === 'clean' && isSame) return;
    const problem = verdict.kind === 'clean' ? 'it holds other jobs than were written' : JSON.stringify(verdict);
    throw new Error(`The repaired log in ${directory} is not sound: ${problem}. The source is unchanged.`);
  } finally {
    snapshot.close();
  }
}
