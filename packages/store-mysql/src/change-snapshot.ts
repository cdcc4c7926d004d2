import { SqlText, sql } from './sql-text.js';

/** A change that is seen; or the one row that tells which of them have ended. */
export interface ShownRow {
  readonly id: number;
  readonly still_open: string | null;
  readonly is_bound: number;
  /** Numbers that one server of a cluster gives are so far apart. */
  readonly step: number;
}

/** A name holds about a hundred numbers: those behind so many are not looked at. */
const OPEN_MAX = 500;

/**
 * What PostgreSQL tells of its transactions (their numbers, which of them are open, whether a row is seen in a snapshot) these servers tell nobody, or only
 * their administrators. So a transaction that moves jobs stores a row in `job_change`, and its number beside the jobs. Who sees the row sees the jobs: a number
 * that is not seen below one that is belongs to a transaction that is open, or was rolled back and is borne by no job.
 * @returns the snapshot as PostgreSQL writes it: `first open:end:open,open,…`
 */
export function snapshotText(rows: readonly ShownRow[]): string {
  const bound = rows.find(({ is_bound }) => is_bound === 1);
  if (bound === undefined) throw new Error('The schema does not tell which changes of jobs have ended.');
  const shown = rows.flatMap(({ id, is_bound }) => (is_bound === 1 ? [] : [id])).sort((one, other) => one - other);
  const isShown = new Set(shown);
  const open = numbersIn(bound.still_open).filter((number) => !isShown.has(number));
  for (const number of missing(shown, bound)) {
    if (open.length >= OPEN_MAX) return written(open, number);
    open.push(number);
  }
  return written(open, Math.max(bound.id, (shown.at(-1) ?? 0) + 1));
}

/** Numbers that nobody sees below one that is seen, where not all are known to have ended. */
function* missing(shown: readonly number[], { id: below, step: apart }: ShownRow): Generator<number> {
  const recent = shown.filter((number) => number >= below);
  const isOfOneServer = recent.every((number) => (number - (recent[0] ?? 0)) % apart === 0);
  const step = isOfOneServer ? apart : 1;
  let last = below - 1;
  for (const number of recent) {
    const first = number - step * Math.floor((number - last - 1) / step);
    for (let between = first; between < number; between += step) yield between;
    last = number;
  }
}

function written(open: readonly number[], end: number): string {
  return `${open[0] ?? end}:${end}:${open.join(',')}`;
}

function numbersIn(text: string | null | undefined): number[] {
  return text ? text.split(',').map(Number) : [];
}

/** Whether a row has been where it is since before a snapshot; every one has where there is none. */
export function unchangedSince(changedIn: string, snapshot: string | null): SqlText {
  if (snapshot === null) return sql`true`;
  const [, end, open] = snapshot.split(':');
  const column = new SqlText(changedIn);
  const others = numbersIn(open);
  const isBefore = sql`${column} < ${Number(end)}`;
  return others.length === 0 ? isBefore : sql`${isBefore} and ${column} not in (${others})`;
}
