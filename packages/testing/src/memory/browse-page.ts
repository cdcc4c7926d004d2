import {
  CursorInvalidError,
  type JobFilter,
  type JobRow,
  type Page,
  type PageRequest,
  type Retention,
} from '@holdfast/contract';
import { isSearch, STORE_LIMITS } from '@holdfast/contract/rules';
import { isInPlace, jobMatches } from './job-matches.js';
import { toRow } from './job-rows.js';
import type { MemoryJob } from './memory-job.js';

/** Jobs of a page, and how far the search for them has looked. */
export interface FoundJobs {
  readonly jobs: readonly MemoryJob[];
  /** Cursor of the next page. */
  readonly next: string | undefined;
  readonly scanned: number;
}

/**
 * One page of the jobs that match, newest first. A cursor is the id of the last job that was looked at for the page before.
 * @throws CursorInvalidError
 */
export function browsePage(
  jobs: readonly MemoryJob[],
  filter: JobFilter,
  page: PageRequest,
  from: { readonly tag: string; readonly monotonicMs: number; readonly retention: Retention },
): Page<JobRow> {
  const found = findJobs(jobs, filter, page, from.tag);
  const isWhole = found.next === undefined && page.cursor === undefined;
  const rows = found.jobs.map((job) => toRow(job, from.monotonicMs, from.retention));
  const next = found.next === undefined ? {} : { next: found.next };
  if (isSearch(filter)) {
    const total = { value: rows.length, relation: isWhole ? ('exact' as const) : ('atLeast' as const) };
    return { rows, ...next, total, scan: { scanned: found.scanned, exhausted: found.next === undefined } };
  }
  return { rows, ...next, total: { value: jobs.filter((job) => isInPlace(job, filter)).length, relation: 'exact' } };
}

/** @throws CursorInvalidError */
export function findJobs(
  jobs: readonly MemoryJob[],
  filter: JobFilter,
  { limit, cursor, scanMax = STORE_LIMITS.pageScanDefault }: PageRequest,
  tag: string,
): FoundJobs {
  const below = cursor === undefined ? Number.POSITIVE_INFINITY : numberOf(cursor, tag);
  const rest = jobs.filter((job) => job.number < below && isInPlace(job, filter)).toReversed();
  const found: MemoryJob[] = [];
  let last: string | undefined;
  let scanned = 0;
  for (const job of rest) {
    const matches = jobMatches(job, filter);
    if ((matches && found.length === limit) || (isSearch(filter) && scanned === scanMax)) {
      return { jobs: found, next: last, scanned };
    }
    scanned++;
    last = job.id;
    if (matches) found.push(job);
  }
  return { jobs: found, next: undefined, scanned };
}

/** The job of a cursor may be forgotten by now; its number still says where the next page begins. */
function numberOf(cursor: string, tag: string): number {
  const [, number] = cursor.match(/^(?:[a-z0-9]+)-([1-9][0-9]*)$/) ?? [];
  if (number === undefined || !cursor.startsWith(`${tag}-`)) throw new CursorInvalidError();
  return Number(number);
}
