import type { JobFilter, JobRow, JobState, Page, PageRequest } from '@holdfast/contract';
import { isSearch, STORE_LIMITS as LIMITS } from '@holdfast/contract/rules';
import type { Database } from './database.js';
import type { JobNames } from './job-names.js';
import type { RowReader } from './job-rows.js';
import type { QueueNames } from './queue-names.js';
import { type RowOfFound, rowMatcher, type SearchBounds, type Searched, searchJobs } from './searching.js';
import { unchangedSince } from './sql/parts.js';
import {
  CHANGED_IN,
  countByQueueText,
  countText,
  numbersText,
  PLACES,
  pageText,
  type Wanted,
} from './sql/read-jobs.js';
import { inSchema } from './statement.js';
import { storedText } from './stored-text.js';

/** Matches are counted no further. */
const COUNTED_MAX = 10_000;
/** Of one page; then it is given as far as it has come. */
const PAGE_MS_MAX = 250;

export interface BrowsingParts {
  readonly database: Database;
  readonly schema: string;
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
    const wanted = await this.#wanted(filter);
    if (isSearch(filter)) return this.#search(filter, wanted, below, page);
    if (wanted === undefined) return { rows: [], total: { value: 0, relation: 'exact' } };
    const [rows, [counted]] = await Promise.all([
      this.#run<RowOfFound>(pageText(wanted, filter.state, { below, limit: page.limit + 1 }), wanted.values),
      this.#run<{ count: number }>(countText(wanted, filter.state, COUNTED_MAX + 1), wanted.values),
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
    return this.#found(filter, await this.#wanted(filter, snapshot), below, bounds, found);
  }

  /** All of them, in order of enqueue; the filter is no search. */
  async numbers(filter: JobFilter & { readonly state: JobState }, snapshot: string): Promise<number[]> {
    const wanted = await this.#wanted(filter, snapshot);
    if (wanted === undefined) return [];
    const rows = await this.#run<{ number: number }>(numbersText(wanted, filter.state), wanted.values);
    return rows.map(({ number }) => number);
  }

  /** How many jobs of a filter that is no search there are in each state of each queue, but for what changed since a snapshot. */
  async count(
    filter: JobFilter,
    snapshot: string,
    states: readonly JobState[],
  ): Promise<{ readonly state: JobState; readonly queue: string; readonly count: number }[]> {
    const counts = states.map(async (state) => {
      const wanted = await this.#wanted({ ...filter, state }, snapshot);
      if (wanted === undefined) return [];
      const rows = await this.#run<{ queue: string; count: number }>(countByQueueText(wanted, state), wanted.values);
      return rows.map(({ queue, count }) => ({ state, queue, count }));
    });
    return (await Promise.all(counts)).flat();
  }

  async #search(
    filter: JobFilter,
    wanted: Wanted | undefined,
    below: number | null,
    { limit, scanMax = LIMITS.pageScanDefault }: PageRequest,
  ): Promise<Page<JobRow>> {
    const { names, rows } = this.#parts;
    const shown: JobRow[] = [];
    const bounds = { limit, scanMax, longestMs: PAGE_MS_MAX };
    const { next, scanned } = await this.#found(filter, wanted, below, bounds, (row) => shown.push(rows.job(row)));
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
    wanted: Wanted | undefined,
    below: number | null,
    bounds: SearchBounds,
    found: (row: RowOfFound) => void,
  ): Promise<Searched> {
    if (wanted === undefined) return { scanned: 0 };
    const withPayload = filter.payload !== undefined;
    return searchJobs(
      (rows, place) =>
        this.#run<RowOfFound>(
          pageText(wanted, filter.state, { below: place, limit: rows, withPayload }),
          wanted.values,
        ),
      rowMatcher(filter, this.#parts.rows),
      found,
      below,
      bounds,
    );
  }

  #run<Row>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return this.#parts.database.run<Row>({ text: inSchema(text, this.#parts.schema) }, values);
  }

  /** What there is an index for. `undefined` where nothing can match. */
  async #wanted({ state, queue, name, errorFingerprint }: JobFilter, since?: string): Promise<Wanted | undefined> {
    const conditions: string[] = [];
    const values: unknown[] = [];
    const add = (value: unknown) => `$${values.push(value)}`;
    const at = state === undefined ? 'j' : PLACES[state].alias;
    if (state !== undefined) {
      // Not as a parameter: the plan for any state could use no index of a few of them.
      conditions.push(at === 'e' ? `e.state = '${state}'` : `${at}.number is not null`);
    }
    if (errorFingerprint !== undefined) {
      conditions.push(`e.state = 'dead' and e.error_kind = ${add(storedText(errorFingerprint))}`);
    }
    if (since !== undefined) conditions.push(unchangedSince(add(since), at === 'j' ? CHANGED_IN : `${at}.changed_in`));
    // Queues of Holdfast's own are listed only by name.
    if (queue === undefined) conditions.push("q.name not like 'holdfast.%'");
    else {
      const [id] = await this.#parts.queues.known([queue]);
      if (id === undefined) return undefined;
      conditions.push(`${at}.queue_id = ${add(id)}::int4`);
    }
    if (name !== undefined) conditions.push(`${at}.name = ${add(storedText(name))}`);
    return { where: conditions.join(' and '), values };
  }
}
