import { insertRows, type NewRow } from '../insert-rows.js';
import { joined, SqlText, sql } from '../sql-text.js';
import type { Change, Work } from '../work.js';

/** A job where it waits or is leased. */
export interface PlaceRow {
  readonly number: number;
  readonly queue_id: number;
  readonly priority: number;
  readonly rank_ms: number;
  readonly name: string;
  readonly attempts: number;
  readonly run_at_ms: number;
  readonly keyed: number;
  /** The change that put it there. */
  readonly changed_in: number;
}

/** One that waits, ready or not. */
export interface WaitingRow extends PlaceRow {
  readonly updated_at_ms: number;
  readonly expires_at_ms: number | null;
}

export interface LeaseRow extends PlaceRow {
  readonly token: number;
  readonly worker: string;
  readonly leased_at_ms: number;
  readonly lease_ms: number;
  readonly deadline_ms: number;
}

/** Of an ended job, what it needs to be ready again. */
export interface EndedRow {
  readonly end_number: number;
  readonly number: number;
  readonly queue_id: number;
  readonly name: string;
  readonly priority: number;
  readonly attempts: number;
  readonly run_at_ms: number;
  readonly state: 'completed' | 'dead' | 'cancelled';
}

/**
 * The index by which rows are found when their jobs are known. Where a table is small the server would rather read all of it, and lock every row on its
 * way, also those that others hold.
 */
const BY_NUMBER = {
  ready: 'ready_number',
  scheduled: 'primary',
  lease: 'lease_number',
  ended: 'ended_number',
} as const;
type Table = keyof typeof BY_NUMBER;

const NUMBERS_MAX = 1000;

/** Rows of jobs, in order of the jobs and locked until the end of the transaction. */
export async function lockJobs<Row>(
  work: Work,
  table: Table,
  numbers: readonly number[],
  where = sql`true`,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const slice of slices(numbers.toSorted((one, other) => one - other))) {
    const from = new SqlText(`hf.${table} x force index (${BY_NUMBER[table]})`);
    rows.push(
      ...(await work.rows<Row>(
        sql`select x.* from ${from} where x.number in (${slice}) and ${where} order by x.number for update`,
      )),
    );
  }
  return rows;
}

/**
 * By job, or by another key. `using` lets the index be named, and an alias would need a database that is selected. The primary key is not heeded when it is
 * named so (MariaDB 10.11): a small table is read as a whole, and waits for rows of open transactions. So the keys are joined, and looked up one by one.
 */
export async function deleteRows(
  work: Work,
  table: Table | 'job' | 'attempt' | 'note' | 'act' | 'death' | 'key_holder' | 'ledger' | 'job_change',
  keys: readonly number[],
  by: { readonly column: string; readonly index: string } = byNumber(table),
): Promise<void> {
  for (const slice of slices(keys)) {
    await work.rows(by.index === 'primary' ? byPrimaryKey(table, by.column, slice) : byIndex(table, by, slice));
  }
}

function byIndex(
  table: string,
  { column, index }: { readonly column: string; readonly index: string },
  keys: readonly number[],
) {
  const what = new SqlText(`delete from hf.${table} using hf.${table} force index (${index}) where ${column}`);
  return sql`${what} in (${keys})`;
}

function byPrimaryKey(table: string, column: string, keys: readonly number[]): SqlText {
  const given = sql`json_table(${JSON.stringify(keys)}, '$[*]' columns (id bigint path '$')) k`;
  const from = new SqlText(`hf.${table} force index (primary) on ${table}.${column} = k.id`);
  return sql`delete ${new SqlText(`hf.${table}`)} from ${given} straight_join ${from}`;
}

export const BY_TOKEN = { column: 'token', index: 'primary' } as const;
export const BY_END = { column: 'end_number', index: 'primary' } as const;
export const BY_ID = { column: 'id', index: 'primary' } as const;

function byNumber(table: string): { readonly column: string; readonly index: string } {
  if (table === 'act') return { column: 'number', index: 'act_of_job' };
  return { column: 'number', index: table in BY_NUMBER ? BY_NUMBER[table as Table] : 'primary' };
}

/** What every place of a live job knows. */
export function placeOf(row: PlaceRow) {
  const { number, queue_id, priority, rank_ms, name, attempts, run_at_ms, keyed, changed_in } = row;
  return { number, queue_id, priority, rank_ms, name, attempts, run_at_ms, keyed, changed_in };
}

/** What a job knows of its place that has come to an end. */
export function endOf(
  { number, queue_id, name, priority, attempts, run_at_ms }: PlaceRow,
  { atMs, changedIn }: Change,
) {
  return { number, queue_id, name, priority, attempts, run_at_ms, ended_at_ms: atMs, changed_in: changedIn };
}

/** What a job gets that comes where it waits. */
export function cameIn({ atMs, changedIn }: Change) {
  return { updated_at_ms: atMs, changed_in: changedIn };
}

/** Jobs that wait again, or for the first time: those whose time has come are ready. */
export async function insertWaiting(
  work: Work,
  rows: readonly WaitingRow[],
  isReady: (row: WaitingRow) => boolean,
): Promise<void> {
  const rowOf = (row: WaitingRow): NewRow => {
    return { ...placeOf(row), updated_at_ms: row.updated_at_ms, expires_at_ms: row.expires_at_ms };
  };
  await insertRows(work, 'hf.ready', rows.filter(isReady).map(rowOf));
  await insertRows(work, 'hf.scheduled', rows.filter((row) => !isReady(row)).map(rowOf));
}

interface FreedRow {
  readonly number: number;
  readonly queue_id: number;
  readonly dedupe_key: string;
  readonly until_ms: number;
}

/** Jobs that are not live any more take no key. @returns the keys that they took, by number */
export async function freeKeys(
  work: Work,
  rows: readonly Pick<PlaceRow, 'number' | 'keyed'>[],
): Promise<readonly FreedRow[]> {
  // A library may read the column as a truth value.
  const numbers = rows.filter(({ keyed }) => Number(keyed) === 1).map(({ number }) => number);
  if (numbers.length === 0) return [];
  const freed: FreedRow[] = [];
  for (const slice of slices(numbers)) {
    freed.push(
      ...(await work.rows<FreedRow>(
        sql`select * from hf.key_holder force index (primary) where number in (${slice}) order by number for update`,
      )),
    );
  }
  await deleteRows(
    work,
    'key_holder',
    freed.map(({ number }) => number),
  );
  return freed;
}

/** Attempts that ended without completing their job. */
export async function noteAttempts(
  work: Work,
  rows: readonly LeaseRow[],
  endedAtMs: number,
  endOf: (row: LeaseRow) => { readonly outcome: string } & NewRow,
): Promise<void> {
  const attempts = rows.map((row) => ({
    number: row.number,
    token: row.token,
    attempt: row.attempts,
    worker: row.worker,
    started_at_ms: row.leased_at_ms,
    ended_at_ms: endedAtMs,
    ...endOf(row),
  }));
  await insertRows(work, 'hf.attempt', attempts);
}

export function* slices<Item>(items: readonly Item[], most = NUMBERS_MAX): Generator<readonly Item[]> {
  for (let from = 0; from < items.length; from += most) yield items.slice(from, from + most);
}

/** A key of jobs in its time after the job. */
export interface WindowKey {
  readonly queue_id: number;
  readonly dedupe_key: string;
}

/**
 * Windows of keys. Those that are there are looked for without a lock, and each is removed by itself: under REPEATABLE READ, which a transaction of a caller's has as
 * a rule, whoever locks a key that is not there locks the gap, and holds up all that have to keep a window.
 */
export async function deleteWindows(work: Work, matches: readonly SqlText[]): Promise<void> {
  for (const slice of slices(matches, WINDOWS_MAX)) {
    const look = sql`select queue_id, dedupe_key from hf.key_window force index (primary) where ${anyOf(slice)}`;
    const seen = await work.rows<WindowKey>(look);
    const latest = (await work.latest?.rows<WindowKey>(look)) ?? [];
    const found = new Map([...seen, ...latest].map((key) => [`${key.queue_id} ${key.dedupe_key}`, key]));
    for (const { queue_id, dedupe_key } of found.values()) {
      await work.rows(sql`delete from hf.key_window where queue_id = ${queue_id} and dedupe_key = ${dedupe_key}`);
    }
  }
}

const WINDOWS_MAX = 200;

/** Rows that match any of several pairs. */
export function anyOf(pairs: readonly SqlText[]): SqlText {
  return sql`(${joined(pairs, ' or ')})`;
}
