import type { JobDetail, JobFilter, JobRow, Page, PageRequest } from '@holdfast/contract';
import { errorKind, holdsText, STORE_LIMITS as LIMITS, payloadHas } from '@holdfast/contract/rules';

/** Rows that are asked for at once. */
const SLICE_ROWS = 200;
/** Of one page; then it is given as far as it has come. */
const SEARCH_MS_MAX = 250;

/** What a search asks of the tables. */
export interface SearchedJobs {
  /** Jobs of the state, queue and name of the filter, newest first. */
  page(limit: number, cursor: string | undefined): Promise<Pick<Page<JobRow>, 'rows' | 'next'>>;
  job(id: string): Promise<JobDetail | undefined>;
}

/** A page of what the tables have no index for: so many jobs are looked at, one slice after the other. */
export async function searchJobs(
  jobs: SearchedJobs,
  filter: JobFilter,
  { limit, cursor, scanMax = LIMITS.pageScanDefault }: PageRequest,
): Promise<Page<JobRow>> {
  const untilMs = performance.now() + SEARCH_MS_MAX;
  const rows: JobRow[] = [];
  let scanned = 0;
  let place = cursor;
  for (;;) {
    const part = await jobs.page(Math.min(SLICE_ROWS, scanMax - scanned), place);
    for (const row of part.rows) {
      const isLate = scanned > 0 && performance.now() > untilMs;
      const matches = !isLate && (await rowMatches(jobs, row, filter));
      if (isLate || (matches && rows.length === limit)) return found(rows, scanned, place, cursor);
      scanned++;
      place = row.id;
      if (matches) rows.push(row);
    }
    if (part.next === undefined) return found(rows, scanned, undefined, cursor);
    if (scanned >= scanMax) return found(rows, scanned, place, cursor);
  }
}

function found(rows: JobRow[], scanned: number, next: string | undefined, cursor: string | undefined): Page<JobRow> {
  const exhausted = next === undefined;
  return {
    rows,
    ...(exhausted ? {} : { next }),
    total: { value: rows.length, relation: exhausted && cursor === undefined ? 'exact' : 'atLeast' },
    scan: { scanned, exhausted },
  };
}

async function rowMatches(jobs: SearchedJobs, row: JobRow, filter: JobFilter): Promise<boolean> {
  if (!plainMatches(row, filter)) return false;
  const { errorText, errorFingerprint, payload } = filter;
  if (errorText === undefined && errorFingerprint === undefined && payload === undefined) return true;
  if ((errorText !== undefined || errorFingerprint !== undefined) && row.lastError === undefined) return false;
  const job = await jobs.job(row.id);
  if (job === undefined || (payload !== undefined && !payloadHas(job.payload, payload))) return false;
  const error = job.attemptLog.findLast((attempt) => attempt.error !== undefined)?.error;
  return (
    (errorText === undefined || holdsText(error?.message ?? '', errorText)) &&
    (errorFingerprint === undefined ||
      (job.state === 'dead' && error !== undefined && errorKind(error).fingerprint === errorFingerprint))
  );
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
