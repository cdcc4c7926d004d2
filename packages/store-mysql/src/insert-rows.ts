import { joined, type SqlText, type SqlValue, sql, SqlText as Text } from './sql-text.js';
import type { Work } from './work.js';

/** Rows of one statement, and about how many bytes: far below what a server takes at once, even where every byte has to be escaped. */
const ROWS_MAX = 500;
const BYTES_MAX = 1024 * 1024;

export type NewRow = Readonly<Record<string, SqlValue>>;

/** Inserts rows, in order. All have the columns of the first one. @param orElse what stands behind the values */
export async function insertRows(work: Work, table: string, rows: readonly NewRow[], orElse = ''): Promise<void> {
  for (const slice of slicesOf(rows)) await work.rows(insertion(table, slice, orElse));
}

/** The same for a table that numbers its rows. @returns their numbers */
export async function insertNumbered(work: Work, table: string, rows: readonly NewRow[]): Promise<number[]> {
  const numbers: number[] = [];
  for (const slice of slicesOf(rows)) {
    await work.rows(insertion(table, slice, ''));
    // The numbers of one statement whose rows are known beforehand follow each other, in all modes of innodb_autoinc_lock_mode. In a cluster they are further apart.
    const [first] = await work.rows<{ number: number; step: number }>(
      sql`select last_insert_id() as number, @@auto_increment_increment as step`,
    );
    if (first === undefined) throw new Error('The database did not tell how it has numbered the rows.');
    numbers.push(...slice.map((_, index) => first.number + index * first.step));
  }
  return numbers;
}

/** For `orElse`: what a row that is there already is set to. Without an alias for the new row, which MariaDB does not know. */
export function updating(columns: readonly string[]): string {
  return ` on duplicate key update ${columns.map((column) => `${column} = values(${column})`).join(', ')}`;
}

function insertion(table: string, rows: readonly NewRow[], orElse: string): SqlText {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${columns.map((column) => row[column] ?? null)})`);
  return sql`insert into ${new Text(`${table} (${columns.join(', ')}) values `)}${joined(values, ', ')}${new Text(orElse)}`;
}

function* slicesOf(rows: readonly NewRow[]): Generator<NewRow[]> {
  let slice: NewRow[] = [];
  let bytes = 0;
  for (const row of rows) {
    const rowBytes = Object.values(row).reduce<number>((sum, value) => sum + sizeOf(value), 0);
    if (slice.length === ROWS_MAX || (slice.length > 0 && bytes + rowBytes > BYTES_MAX)) {
      yield slice;
      slice = [];
      bytes = 0;
    }
    slice.push(row);
    bytes += rowBytes;
  }
  if (slice.length > 0) yield slice;
}

function sizeOf(value: SqlValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}
