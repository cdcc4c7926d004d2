import type { JobFilter, JobRow } from '@holdfast/contract';
import { holdsText, isSearch, payloadHas } from '@holdfast/contract/rules';
import type { RowReader } from './job-rows.js';
import { payloadOf } from './payload-columns.js';
import type { RowOfFound } from './statements.js';

/** Rows that are asked for at once. */
const SLICE_ROWS = 500;

export interface SearchBounds {
  /** Jobs that are found, at most. */
  readonly limit: number;
  /** Jobs that are looked at, at most. */
  readonly scanMax: number;
  /** The search ends when it has taken so long, but not before it has looked at one slice. */
  readonly longestMs: number;
}

export interface Searched {
  readonly scanned: number;
  /** The job that was looked at last, where there may be more. */
  readonly next?: number;
}

/**
 * What the tables have no index for is looked for in slices, the newest jobs first; claims go on between two of them.
 * @param slice jobs below a number that match what there is an index for
 * @param found told of each job that matches
 */
export async function searchJobs(
  slice: (rows: number, below: number | null) => Promise<readonly RowOfFound[]>,
  matches: (row: RowOfFound) => boolean,
  found: (row: RowOfFound) => void,
  below: number | null,
  { limit, scanMax, longestMs }: SearchBounds,
): Promise<Searched> {
  const untilMs = performance.now() + longestMs;
  let count = 0;
  let scanned = 0;
  let place = below;
  for (;;) {
    const wanted = Math.min(SLICE_ROWS, scanMax - scanned);
    const looked = await slice(wanted, place);
    for (const row of looked) {
      const isFound = matches(row);
      if (isFound && count === limit) return { scanned, ...nextOf(place) };
      scanned++;
      place = row.number;
      if (!isFound) continue;
      count++;
      found(row);
    }
    if (looked.length < wanted) return { scanned };
    if (scanned >= scanMax || performance.now() > untilMs) return { scanned, ...nextOf(place) };
  }
}

function nextOf(place: number | null) {
  return place === null ? {} : { next: place };
}

/** Whether a job matches what no index answers. */
export function rowMatcher(filter: JobFilter, rows: RowReader): (row: RowOfFound) => boolean {
  if (!isSearch(filter)) return () => true;
  return (row) => plainMatches(rows.job(row), filter) && textsMatch(row, filter);
}

function textsMatch(row: RowOfFound, { errorText, payload }: JobFilter): boolean {
  if (errorText !== undefined) {
    if (row.error_class === null || !holdsText(row.error_message ?? '', errorText)) return false;
  }
  return payload === undefined || payloadHas(payloadOf(row.payload_text ?? null, null), payload);
}

function plainMatches(row: JobRow, filter: JobFilter): boolean {
  const { enqueuedFromMs = 0, enqueuedBeforeMs = Number.POSITIVE_INFINITY } = filter;
  const { updatedFromMs = 0, updatedBeforeMs = Number.POSITIVE_INFINITY } = filter;
  return (
    (filter.id === undefined || row.id.startsWith(filter.id)) &&
    row.attempts >= (filter.attemptsMin ?? 0) &&
    row.enqueuedAtMs >= enqueuedFromMs &&
    row.enqueuedAtMs < enqueuedBeforeMs &&
    row.updatedAtMs >= updatedFromMs &&
    row.updatedAtMs < updatedBeforeMs &&
    (filter.errorClass === undefined || row.lastError?.class === filter.errorClass)
  );
}
