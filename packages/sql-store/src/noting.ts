import type { Attempt, LogLine, NoteItem, SettleAnswer } from '@holdfast/contract';
import { type CheckedNote, checkedNote, checkItems, checkLease, LineAllowance } from '@holdfast/contract/rules';
import { type JobNames, tokenNumber } from './job-names.js';
import { answerOf, leaseName, locate } from './settling.js';
import type { LeaseKey, Queries, RowOfNote, SqlDatabase } from './statements.js';

interface NotesOfAttempt {
  readonly token: number;
  readonly progress: string | undefined;
  readonly lines: readonly LogLine[];
  readonly droppedLines: number;
}

export interface NoteCall {
  readonly leases: readonly LeaseKey[];
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
export async function keepNotes(database: SqlDatabase, { leases, notes }: NoteCall): Promise<SettleAnswer[]> {
  if (leases.length === 0) return [];
  const live = await database.transaction((queries) => keepIn(queries, leases, notes));
  const others = leases.filter((lease) => !live.has(leaseName(lease)));
  const located = await locate(database, others);
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
  leases: readonly LeaseKey[],
  notes: readonly CheckedNote[],
): Promise<ReadonlySet<string>> {
  const pairs = [...new Map(leases.map((lease) => [leaseName(lease), lease])).values()];
  const rows = await queries.run('notedLeases', [pairs]);
  const kept = rows.flatMap(({ number, token, notes: before }) => {
    const told = notes.filter((_, index) => leaseName(leases[index]!) === leaseName({ number, token }));
    const attempts = told.reduce((all, note) => withNote(all, token, note), (before ?? []).map(notesOf));
    return attempts.map((attempt) => ({
      number,
      token: attempt.token,
      progress: attempt.progress ?? null,
      lines: JSON.stringify(attempt.lines),
      dropped_lines: attempt.droppedLines,
    }));
  });
  if (kept.length > 0) await queries.run('keepNotes', [kept]);
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
    progress: progress ?? undefined,
    lines: lines === null ? [] : (JSON.parse(lines) as LogLine[]),
    droppedLines: dropped_lines,
  };
}
