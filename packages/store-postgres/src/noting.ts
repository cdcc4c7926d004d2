import type { Attempt, LogLine, NoteItem, SettleAnswer } from '@holdfast/contract';
import { type CheckedNote, checkedNote, checkItems, checkLease, LineAllowance } from '@holdfast/contract/rules';
import { arrayLiteral } from './array-literal.js';
import type { Database, Queries } from './database.js';
import { type JobNames, tokenNumber } from './job-names.js';
import { answerOf, type Lease, leaseName, locate } from './settling.js';
import type { StoreStatements } from './statements.js';
import { givenText, storedOrNull, storedText } from './stored-text.js';

/** What is kept of one attempt, as the database has it. */
export interface RowOfNote {
  readonly token: number;
  readonly progress: string | null;
  readonly lines: string | null;
  readonly dropped_lines: number;
}

interface NotesOfAttempt {
  readonly token: number;
  readonly progress: string | undefined;
  readonly lines: readonly LogLine[];
  readonly droppedLines: number;
}

export interface NoteCall {
  readonly leases: readonly Lease[];
  readonly notes: readonly CheckedNote[];
}

/** @throws InvalidArgumentError */
export function checkedNotes(items: readonly NoteItem[], names: JobNames): NoteCall {
  checkItems('note', items);
  const notes = items.map((item, index) => {
    checkLease('note', index, item);
    return checkedNote(index, item);
  });
  return { leases: items.map(({ id, token }) => ({ number: names.number(id), token: tokenNumber(token) })), notes };
}

/** Keeps notes of live leases. They are few beside claims and acks, so that what is too much is cut off here and not in the database. */
export async function keepNotes(
  database: Database,
  statements: StoreStatements,
  { leases, notes }: NoteCall,
): Promise<SettleAnswer[]> {
  if (leases.length === 0) return [];
  const live = await database.transaction((queries) => keepIn(queries, statements, leases, notes));
  const others = leases.filter((lease) => !live.has(leaseName(lease)));
  const located = await locate(database, statements, others);
  return leases.map((lease) => (live.has(leaseName(lease)) ? 'ok' : answerOf(located.get(lease.number), undefined)));
}

/** What a note tells beside an attempt. */
export function toldOf(row: RowOfNote | undefined): Pick<Attempt, 'progress' | 'lines' | 'droppedLines'> {
  if (row === undefined) return {};
  const { progress, lines, droppedLines } = notesOf(row);
  return {
    ...(progress === undefined ? {} : { progress }),
    ...(lines.length === 0 ? {} : { lines }),
    ...(droppedLines === 0 ? {} : { droppedLines }),
  };
}

/** @returns the names of the leases that are live */
async function keepIn(
  queries: Queries,
  statements: StoreStatements,
  leases: readonly Lease[],
  notes: readonly CheckedNote[],
): Promise<ReadonlySet<string>> {
  const pairs = [...new Map(leases.map((lease) => [leaseName(lease), lease])).values()];
  const rows = await queries.run<Lease & { readonly notes: readonly RowOfNote[] | null }>(statements.notedLeases, [
    arrayLiteral(pairs.map(({ number }) => number)),
    arrayLiteral(pairs.map(({ token }) => token)),
  ]);
  const kept = rows.flatMap(({ number, token, notes: before }) => {
    const told = notes.filter((_, index) => leaseName(leases[index]!) === leaseName({ number, token }));
    const attempts = told.reduce((all, note) => withNote(all, token, note), (before ?? []).map(notesOf));
    return attempts.map((attempt) => ({ number, ...attempt }));
  });
  if (kept.length > 0) {
    await queries.run(statements.keepNotes, [
      arrayLiteral(kept.map(({ number }) => number)),
      arrayLiteral(kept.map(({ token }) => token)),
      arrayLiteral(kept.map(({ progress }) => storedOrNull(progress))),
      arrayLiteral(kept.map(({ lines }) => storedText(JSON.stringify(lines)))),
      arrayLiteral(kept.map(({ droppedLines }) => droppedLines)),
    ]);
  }
  return new Set(rows.map(leaseName));
}

/** All attempts of a job together keep so many lines: those of the newest. */
function withNote(
  attempts: readonly NotesOfAttempt[],
  token: number,
  { progress, lines, droppedLines }: CheckedNote,
): NotesOfAttempt[] {
  const last = attempts.find((attempt) => attempt.token === token);
  const noted = {
    token,
    progress: progress ?? last?.progress,
    lines: [...(last?.lines ?? []), ...lines],
    droppedLines: (last?.droppedLines ?? 0) + droppedLines,
  };
  const allowance = new LineAllowance();
  const all = [...attempts.filter((attempt) => attempt !== last), noted].toReversed().map((attempt) => {
    const kept = allowance.take(attempt.lines);
    return { ...attempt, lines: kept, droppedLines: attempt.droppedLines + attempt.lines.length - kept.length };
  });
  return all.toReversed();
}

function notesOf({ token, progress, lines, dropped_lines }: RowOfNote): NotesOfAttempt {
  return {
    token,
    progress: progress === null ? undefined : givenText(progress),
    lines: lines === null ? [] : (JSON.parse(givenText(lines)) as LogLine[]),
    droppedLines: dropped_lines,
  };
}
