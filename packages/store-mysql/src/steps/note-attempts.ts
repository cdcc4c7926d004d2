import type { LeaseKey, RowOfNote } from '@holdfast/sql-store';
import { insertRows, updating } from '../insert-rows.js';
import { SqlText, sql } from '../sql-text.js';
import { slices } from './places.js';
import type { Step } from './step.js';

/** `lines` is a word of the language, but also the name of the field. */
export const NOTE_COLUMNS = new SqlText('number, token, progress, log_lines as `lines`, dropped_lines');

export const notedLeases: Step<'notedLeases'> = {
  scope: 'together',
  async run(work, [leases]) {
    const live: LeaseKey[] = [];
    const nameOf = ({ number, token }: LeaseKey) => `${number} ${token}`;
    const wanted = new Set(leases.map(nameOf));
    const tokens = [...new Set(leases.map(({ token }) => token))].sort((one, other) => one - other);
    for (const slice of slices(tokens)) {
      const rows = await work.rows<LeaseKey>(
        sql`select number, token from hf.lease force index (primary) where token in (${slice}) order by token for update`,
      );
      live.push(...rows.filter((row) => wanted.has(nameOf(row))));
    }
    const notes = new Map<number, RowOfNote[]>();
    for (const slice of slices(live.map(({ number }) => number))) {
      const rows = await work.rows<RowOfNote & LeaseKey>(
        sql`select ${NOTE_COLUMNS} from hf.note where number in (${slice}) order by number, token`,
      );
      for (const row of rows) notes.set(row.number, [...(notes.get(row.number) ?? []), row]);
    }
    return live.map((lease) => ({ ...lease, notes: notes.get(lease.number) ?? null }));
  },
};

export const keepNotes: Step<'keepNotes'> = {
  scope: 'together',
  async run(work, [notes]) {
    const rows = notes.map(({ number, token, progress, lines, dropped_lines }) => {
      return { number, token, progress, log_lines: lines, dropped_lines };
    });
    await insertRows(work, 'hf.note', rows, updating(['progress', 'log_lines', 'dropped_lines']));
    return [];
  },
};
