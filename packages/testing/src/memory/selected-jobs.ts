import {
  InvalidArgumentError,
  type JobState,
  type PlannedPiece,
  type PlanRequest,
  type Selection,
  type SelectionPlan,
} from '@holdfast/contract';
import { STORE_LIMITS } from '@holdfast/contract/rules';
import { findJobs } from './browse-page.js';
import type { JobBook } from './job-book.js';
import { jobMatches } from './job-matches.js';
import type { MemoryJob } from './memory-job.js';

const AS_OF = /^change-(\d+)$/;
const SAMPLES_MAX = 5;

export interface SelectedJobs {
  /** `undefined`: an id that the store does not know. */
  readonly jobs: readonly (MemoryJob | undefined)[];
  /** Of a piece that is not the last one. */
  readonly next?: string;
}

/** The jobs of a selection, in order of their enqueue or as they were named; those of a piece newest first. */
export function selectedJobs(book: JobBook, selection: Selection, tag: string): SelectedJobs {
  if ('ids' in selection) return { jobs: [...new Set(selection.ids)].map((id) => book.find(id)) };
  if ('asOf' in selection) return pieceOf(book, selection, tag);
  return { jobs: book.jobs.filter((job) => jobMatches(job, selection.all)) };
}

/** What an act would meet, and the number of the last change so far. */
export function planOf(book: JobBook, planned: PlanRequest, scanMax = Number.POSITIVE_INFINITY): SelectionPlan {
  const newest = book.jobs.toReversed();
  const looked = 'ids' in planned ? [...new Set(planned.ids)].map((id) => book.find(id)) : newest.slice(0, scanMax);
  const jobs = 'ids' in planned ? looked : looked.filter((job) => job !== undefined && jobMatches(job, planned.all));
  const states = tally(jobs.map((job) => job?.state ?? ('missing' as const)));
  const known = jobs.filter((job) => job !== undefined);
  const queues = [...tally(known.map(({ shape }) => shape.queue))].map(([queue, count]) => ({ queue, count }));
  const isWhole = 'ids' in planned || looked.length === newest.length;
  return {
    asOf: `change-${book.changes}`,
    matched: { value: jobs.length, relation: isWhole ? 'exact' : 'atLeast' },
    states: Object.fromEntries(states) as Partial<Record<JobState | 'missing', number>>,
    queues: queues
      .sort((one, other) => other.count - one.count || (one.queue < other.queue ? -1 : 1))
      .slice(0, STORE_LIMITS.planQueuesMax),
    samples: known.slice(0, SAMPLES_MAX).map(({ id }) => id),
  };
}

function pieceOf(book: JobBook, { all, asOf, limit, cursor }: PlannedPiece, tag: string): SelectedJobs {
  const change = Number(asOf.match(AS_OF)?.[1] ?? Number.NaN);
  if (!(change <= book.changes)) throw new InvalidArgumentError('selection.asOf', asOf, 'what plan gave');
  const unchanged = book.jobs.filter(({ changeNumber }) => changeNumber <= change);
  const page = { limit, scanMax: Number.POSITIVE_INFINITY, ...(cursor === undefined ? {} : { cursor }) };
  const { jobs, next } = findJobs(unchanged, all, page, tag);
  return { jobs, ...(next === undefined ? {} : { next }) };
}

function tally<Key>(keys: readonly Key[]): Map<Key, number> {
  const counts = new Map<Key, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
