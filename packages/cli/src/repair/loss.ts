import type { JobState } from '@holdfast/contract';
import type { LeftOutRecord } from './damaged-record.js';
import type { Gap } from './salvaged-log.js';

/** Jobs that no whole record enqueued, by what the last record said about them. */
export type LastKnown = 'completed' | 'dead' | 'leased' | 'waiting';

/** Ids that were given out while nothing whole names them. */
export interface IdRange {
  readonly firstId: number;
  /** `undefined`: nobody knows how many followed. */
  readonly lastId: number | undefined;
}

export interface HistoryGap {
  readonly id: number;
  readonly what: 'start of an attempt' | 'end of an attempt' | 'death' | 'redrive';
}

export interface AttemptCount {
  readonly id: number;
  readonly written: number;
  readonly counted: number;
}

/** A gap, and what could have been in it. */
export interface JudgedGap extends Gap {
  /** Attempts that began in it and that no record names; `undefined`: nobody knows. */
  attemptsLost: number | undefined;
  /** Where the records behind it begin in the new log. */
  boundary: number;
}

/** Everything that is not as it was, gathered while the log is written anew. */
export class Loss {
  readonly gaps: JudgedGap[] = [];
  readonly leftOut: LeftOutRecord[] = [];
  readonly skipped = { records: 0 };
  readonly historyGaps: HistoryGap[] = [];
  /** The last count of each job whose attempts are not counted as they were. */
  readonly attemptCounts = new Map<number, AttemptCount>();
  /** Jobs below it may be unknown without a loss: the segments that enqueued them were retired, and they were done, or are moved. */
  retiredBelowId = 0;
  readonly #unseen: IdRange[] = [];
  readonly #unknown = new Map<number, LastKnown>();

  /** A record speaks of a job that no whole record enqueued. */
  unknownJob(id: number, lastKnown: LastKnown): void {
    if (id >= this.retiredBelowId) this.#unknown.set(id, lastKnown);
  }

  /** Jobs that are lost although they were not completed, as far as anybody can tell. */
  get lostJobs(): readonly { readonly id: number; readonly lastKnown: LastKnown }[] {
    return [...this.#unknown]
      .filter(([, lastKnown]) => lastKnown !== 'completed')
      .map(([id, lastKnown]) => ({ id, lastKnown }));
  }

  /** Jobs of which only the end is left. Nothing had to be done for them any more. */
  get completedJobs(): number {
    return this.#unknown.size - this.lostJobs.length;
  }

  /** No whole record enqueued these ids. Others may speak of them all the same, also later. */
  unseen(range: IdRange): void {
    this.#unseen.push(range);
  }

  /** Ids that no whole record names. */
  get neverSeen(): readonly IdRange[] {
    const named = [...this.#unknown.keys()].sort((one, other) => one - other);
    return this.#unseen.flatMap((range) => without(named, range));
  }

  /** At most so many jobs; `undefined`: nobody knows. */
  get neverSeenJobs(): number | undefined {
    let jobs = 0;
    for (const { firstId, lastId } of this.neverSeen) {
      if (lastId === undefined) return undefined;
      jobs += lastId - firstId + 1;
    }
    return jobs;
  }
}

/** The range, cut at the ids in it that are named. */
function without(named: readonly number[], { firstId, lastId }: IdRange): IdRange[] {
  const ranges: IdRange[] = [];
  let next = firstId;
  for (const id of named) {
    if (id < next) continue;
    if (lastId !== undefined && id > lastId) break;
    if (id > next) ranges.push({ firstId: next, lastId: id - 1 });
    next = id + 1;
  }
  if (lastId === undefined || next <= lastId) ranges.push({ firstId: next, lastId });
  return ranges;
}

/** Jobs that the repaired log holds as unfinished, and that may have been completed in a part that is lost. */
export interface ComingBack {
  /** Were leased when the lost part began, and nothing was heard of them since. */
  readonly likely: readonly number[];
  /** Were waiting then; attempts of jobs that nobody can name are lost. */
  readonly possible: readonly number[];
}

export type StateCounts = Readonly<Record<JobState, number>>;
