import type { JobFilter, JobRow, JobState, Page, PageRequest } from '@holdfast/contract';
import { isSearch, STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import type { JobNames } from './job-names.js';
import type { RowReader } from './job-rows.js';
import type { QueueNames } from './queue-names.js';
import { rowMatcher, type SearchBounds, type Searched, searchJobs } from './searching.js';
import type { JobPlace, Queries, RowOfFound } from './statements.js';

/** Matches are counted no further. */
const COUNTED_MAX = 10_000;
/** Of one page; then it is given as far as it has come. */
const PAGE_MS_MAX = 250;

export interface BrowsingParts {
  readonly database: Queries;
  readonly queues: QueueNames;
  readonly names: JobNames;
  readonly rows: RowReader;
}

/** Finds jobs, newest first. */
export class Browsing {
  readonly #parts: BrowsingParts;

  constructor(parts: BrowsingParts) {
    this.#parts = parts;
  }

  async browse(filter: JobFilter, page: PageRequest): Promise<Page<JobRow>> {
    const below = page.cursor === undefined ? null : this.#parts.names.cursor(page.cursor);
    const place = await this.#parts.queues.placeOf(filter);
    if (isSearch(filter)) return this.#search(filter, place, below, page);
    if (place === undefined) return { rows: [], total: { value: 0, relation: 'exact' } };
    const [rows, [counted]] = await Promise.all([
      this.#parts.database.run('page', [place, below, page.limit + 1, false]),
      this.#parts.database.run('count', [place, COUNTED_MAX + 1]),
    ]);
    const shown = rows.slice(0, page.limit).map((row) => this.#parts.rows.job(row));
    const next = rows.length > page.limit ? shown.at(-1)?.id : undefined;
    const count = counted?.count ?? 0;
    return {
      rows: shown,
      ...(next === undefined ? {} : { next }),
      total: { value: Math.min(count, COUNTED_MAX), relation: count > COUNTED_MAX ? 'atLeast' : 'exact' },
    };
  }

  /** Jobs of a filter that have not changed since a snapshot, below a number. */
  async find(
    filter: JobFilter,
    snapshot: string,
    below: number | null,
    bounds: SearchBounds,
    found: (row: RowOfFound) => void,
  ): Promise<Searched> {
    return this.#found(filter, await this.#placeOf(filter, snapshot), below, bounds, found);
  }

  /** All of them, in order of enqueue; the filter is no search. */
  async numbers(filter: JobFilter & { readonly state: JobState }, snapshot: string): Promise<number[]> {
    const place = await this.#placeOf(filter, snapshot);
    if (place === undefined) return [];
    const rows = await this.#parts.database.run('numbers', [{ ...place, state: filter.state }]);
    return rows.map(({ number }) => number);
  }

  /** How many jobs of a filter that is no search there are in each state of each queue, but for what changed since a snapshot. */
  async count(
    filter: JobFilter,
    snapshot: string,
    states: readonly JobState[],
  ): Promise<{ readonly state: JobState; readonly queue: string; readonly count: number }[]> {
    const place = await this.#placeOf(filter, snapshot);
    if (place === undefined) return [];
    const counts = states.map(async (state) => {
      const rows = await this.#parts.database.run('countByQueue', [{ ...place, state }]);
      return rows.map(({ queue, count }) => ({ state, queue, count }));
    });
    return (await Promise.all(counts)).flat();
  }

  async #search(
    filter: JobFilter,
    place: JobPlace | undefined,
    below: number | null,
    { limit, scanMax = LIMITS.pageScanDefault }: PageRequest,
  ): Promise<Page<JobRow>> {
    const { names, rows } = this.#parts;
    const shown: JobRow[] = [];
    const bounds = { limit, scanMax, longestMs: PAGE_MS_MAX };
    const { next, scanned } = await this.#found(filter, place, below, bounds, (row) => shown.push(rows.job(row)));
    const exhausted = next === undefined;
    return {
      rows: shown,
      ...(next === undefined ? {} : { next: names.id(next) }),
      total: { value: shown.length, relation: exhausted && below === null ? 'exact' : 'atLeast' },
      scan: { scanned, exhausted },
    };
  }

  async #found(
    filter: JobFilter,
    place: JobPlace | undefined,
    below: number | null,
    bounds: SearchBounds,
    found: (row: RowOfFound) => void,
  ): Promise<Searched> {
    if (place === undefined) return { scanned: 0 };
    const withPayload = filter.payload !== undefined;
    return searchJobs(
      (rows, from) => this.#parts.database.run('page', [place, from, rows, withPayload]),
      rowMatcher(filter, this.#parts.rows),
      found,
      below,
      bounds,
    );
  }

  /** What there is an index for. `undefined` where nothing can match. */
  async #placeOf(filter: JobFilter, snapshot: string): Promise<JobPlace | undefined> {
    const place = await this.#parts.queues.placeOf(filter);
    return place && { ...place, since: snapshot };
  }
}
