import { insertRows } from './insert-rows.js';
import type { SqlValue } from './sql-text.js';
import type { Moment, Work } from './work.js';

export interface Happening {
  readonly kind: string;
  readonly queue_id: number;
  readonly number?: number;
  readonly name?: string;
  readonly attempt?: number;
  readonly worker?: string;
  readonly error_class?: string;
  readonly error_message?: string;
  readonly actor?: string;
  readonly count?: number;
}

const COLUMNS = ['number', 'name', 'attempt', 'worker', 'error_class', 'error_message', 'actor', 'count'] as const;

/** Writes events down, if anybody listens. */
export async function tell(work: Work, moment: Moment, happenings: readonly Happening[]): Promise<void> {
  if (!moment.isHeard) return;
  const rows = happenings.map((happening) => ({
    at_ms: moment.atMs,
    kind: happening.kind,
    queue_id: happening.queue_id,
    ...(Object.fromEntries(COLUMNS.map((column) => [column, happening[column] ?? null])) as Record<string, SqlValue>),
  }));
  await insertRows(work, 'hf.event', rows);
}

/** What an event says of a job. */
export function ofJob(
  kind: string,
  { queue_id, number, name }: Pick<Required<Happening>, 'queue_id' | 'number' | 'name'>,
): Happening {
  return { kind, queue_id, number, name };
}
