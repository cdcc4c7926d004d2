import type { Random } from '@holdfast/contract';
import { type SqlText, sql } from './sql-text.js';

/** What a store takes from the world, so that tests can give it another one. */
export interface Surroundings {
  /** Whole milliseconds of the epoch, as the database tells them. */
  readonly now: SqlText;
  readonly random: Random;
}

/** One connection, on which one call of the store does its steps. */
export interface Work extends Surroundings {
  rows<Row>(query: SqlText): Promise<readonly Row[]>;
  /**
   * Present in a transaction of the caller's: what is committed by now. Such a transaction may be REPEATABLE READ, as is usual with this database, and then its
   * plain reads see what was committed when it began.
   */
  readonly latest?: Work;
}

/** The one time of a call, and whether anybody listens to what happens. */
export interface Moment {
  readonly atMs: number;
  readonly isHeard: boolean;
}

export interface RowOfMoment {
  readonly at_ms: number;
  readonly heard_until_ms: number;
}

/** The moment of a call that moves jobs, and the number of its change: plans know by it what came later. */
export interface Change extends Moment {
  readonly changedIn: number;
}

/** Columns of it, for a statement that asks for something else too. */
export function momentColumns({ now }: Surroundings): SqlText {
  return sql`${now} as at_ms, (select h.until_ms from hf.listening h) as heard_until_ms`;
}

export async function momentOf(work: Work): Promise<Moment> {
  const [row] = await work.rows<RowOfMoment>(sql`select ${momentColumns(work)}`);
  if (row === undefined) throw new Error('The database did not tell the time.');
  return momentIn(row);
}

/** To be asked for in the transaction that moves the jobs, before it does. */
export async function changeOf(work: Work): Promise<Change> {
  await beginChange(work);
  const [row] = await work.rows<RowOfChange>(sql`select ${momentColumns(work)}, ${CHANGED_IN}`);
  if (row === undefined) throw new Error('The database did not tell the time.');
  return changeIn(row);
}

/** For a call that then asks for the number together with something else. */
export async function beginChange(work: Work): Promise<void> {
  await work.rows(sql`insert into hf.job_change () values ()`);
}

export const CHANGED_IN = sql`last_insert_id() as changed_in`;

export interface RowOfChange extends RowOfMoment {
  readonly changed_in: number;
}

export function changeIn(row: RowOfChange): Change {
  return { ...momentIn(row), changedIn: row.changed_in };
}

export function momentIn({ at_ms, heard_until_ms }: RowOfMoment): Moment {
  return { atMs: at_ms, isHeard: heard_until_ms > at_ms };
}
