import { basename, dirname } from 'node:path';
import type { JobDetail, JobRow, JobState, QueuePause, RecoveryReport, SegmentReport } from '@holdfast/contract';
import { processEndedError } from '@holdfast/contract/rules';
import type { LogEngine } from '../../src/engine/log-engine.js';
import { parseId } from '../../src/identity.js';
import { decodeSegmentHeader, SEGMENT_HEADER_BYTES } from '../../src/log/segment-header.js';
import type { SimDisk } from './sim-disk.js';

/** `waiting`: scheduled or ready, which of the two is up to the clock. */
export type Standing = 'waiting' | 'leased' | 'completed' | 'dead' | 'cancelled';

export interface ViewedJob extends Omit<JobRow, 'id' | 'state'> {
  readonly shown: JobState;
  readonly id: number;
  readonly state: Standing;
}

/** Everything that a store shows of itself. */
export interface StoreView {
  readonly jobs: ReadonlyMap<number, ViewedJob>;
  readonly pauses: ReadonlyMap<string, QueuePause>;
  /** The number of the last commit that an open found. Its own come after it. */
  readonly foundSeq: number;
  /** Whether the last owner had closed the log. */
  readonly recovery: RecoveryReport['kind'];
  readonly isTorn: boolean;
  /** Two stores with the same text have the same jobs, and go on alike. */
  readonly text: string;
}

const STANDING: Record<JobState, Standing> = {
  scheduled: 'waiting',
  ready: 'waiting',
  leased: 'leased',
  completed: 'completed',
  dead: 'dead',
  cancelled: 'cancelled',
};

const PROCESS_ENDED = processEndedError('').class;

/** What an engine shows now; right after its open, what that found. */
export function viewStore(engine: LogEngine, disk: SimDisk): StoreView {
  const jobs = new Map<number, ViewedJob>();
  for (const row of allRows(engine)) {
    const id = parseId(engine.storeTag, row.id) ?? 0;
    jobs.set(id, { ...row, id, shown: row.state, state: STANDING[row.state] });
  }
  const pauses = new Map<string, QueuePause>();
  for (const { name, paused } of engine.queues()) if (paused !== undefined) pauses.set(name, paused);
  // The others end by themselves, and when that is seen is up to the clock.
  const endless = [...pauses].filter(([, { untilMs }]) => untilMs === undefined);
  const lines = [...jobs.values()].sort((one, other) => one.id - other.id).map(lineOf);
  const { segments, recovery } = engine.storage();
  const foundSeq = foundBy(segments, recovery.epoch, disk);
  const text = [...lines, JSON.stringify(endless)].join('\n');
  return { jobs, pauses, foundSeq, recovery: recovery.kind, isTorn: recovery.tornTail !== undefined, text };
}

/** The first segment of an open follows a SEAL, and that follows the last commit. */
function foundBy(segments: readonly SegmentReport[], epoch: number, disk: SimDisk): number {
  for (const { file } of segments) {
    const { current } = disk.directory(dirname(file)).current.get(basename(file))!;
    const header = decodeSegmentHeader(current.subarray(0, SEGMENT_HEADER_BYTES), file);
    if (header.epoch === epoch) return header.firstSeq - 2;
  }
  throw new Error(`no segment is of epoch ${epoch}`);
}

/** All jobs whole, for comparing a store with what a replay makes of it. */
export function detailsOf(engine: LogEngine, ids: Iterable<number>): Map<number, JobDetail | undefined> {
  return new Map([...ids].map((id) => [id, engine.job(`${engine.storeTag}-${id.toString(36)}`)]));
}

export function* allRows(engine: LogEngine): Generator<JobRow> {
  let cursor: string | undefined;
  do {
    const page = engine.browse({}, cursor === undefined ? { limit: 200 } : { limit: 200, cursor });
    yield* page.rows;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** When a job whose lease an open ended is tried again depends on when that open was. */
function lineOf(job: ViewedJob): string {
  const { id, queue, name, state, priority, attempts, maxAttempts, runAtMs, expiresAtMs, payloadBytes } = job;
  const time = job.lastError?.class === PROCESS_ENDED ? 'after its process' : runAtMs;
  return [id, queue, name, state, priority, attempts, maxAttempts, time, expiresAtMs, payloadBytes].join(' ');
}
