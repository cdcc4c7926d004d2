import {
  CursorInvalidError,
  type JobFilter,
  type JobRow,
  type Page,
  type PageRequest,
  type Retention,
} from '@holdfast/contract';
import { toRow } from './job-rows.js';
import type { MemoryJob } from './memory-job.js';

/**
 * One page of the jobs that match, newest first. A cursor is the id of the last row of the page before.
 * @throws CursorInvalidError
 */
export function browsePage(
  jobs: readonly MemoryJob[],
  filter: JobFilter,
  page: PageRequest,
  from: { readonly tag: string; readonly monotonicMs: number; readonly retention: Retention },
): Page<JobRow> {
  const below = page.cursor === undefined ? Number.POSITIVE_INFINITY : numberOf(page.cursor, from.tag);
  const matching = jobs.filter(({ state, shape }) => matches(filter, state, shape.queue, shape.name)).toReversed();
  const rest = matching.filter(({ number }) => number < below);
  const rows = rest.slice(0, page.limit);
  const last = rows.at(-1);
  return {
    rows: rows.map((job) => toRow(job, from.monotonicMs, from.retention)),
    ...(last === undefined || rest.length === rows.length ? {} : { next: last.id }),
    total: { value: matching.length, relation: 'exact' },
  };
}

function matches(filter: JobFilter, state: string, queue: string, name: string): boolean {
  return (
    (filter.state === undefined || filter.state === state) &&
    (filter.queue === undefined || filter.queue === queue) &&
    (filter.name === undefined || filter.name === name)
  );
}

/** The job of a cursor may be forgotten by now; its number still says where the next page begins. */
function numberOf(cursor: string, tag: string): number {
  const [, number] = cursor.match(/^(?:[a-z0-9]+)-([1-9][0-9]*)$/) ?? [];
  if (number === undefined || !cursor.startsWith(`${tag}-`)) throw new CursorInvalidError();
  return Number(number);
}
