import { type Count, STEP_MS } from '@holdfast/sql-store';

/** Pieces that several statements have in common. `moment` is the one time of a statement, whatever it waits for. */
export const MOMENT = 'moment as materialized (select hf.now_ms() as at_ms)';

const PLACE_COLUMNS = ['number', 'queue_id', 'name', 'priority', 'rank_ms', 'attempts', 'run_at_ms', 'keyed'] as const;

/** What every place of a live job knows, with some of it said otherwise. */
export function place(from: string, otherwise: Partial<Record<(typeof PLACE_COLUMNS)[number], string>> = {}): string {
  return PLACE_COLUMNS.map((column) => otherwise[column] ?? `${from}.${column}`).join(', ');
}

export const PLACE = PLACE_COLUMNS.join(', ');

/** Where every job is, whatever its state: in one place at every moment. The key of a job begins with its queue, which its place tells. */
export const PLACED = `(
  select number, queue_id, name, changed_in from hf.ready union all select number, queue_id, name, changed_in from hf.scheduled
  union all select number, queue_id, name, changed_in from hf.lease union all select number, queue_id, name, changed_in from hf.ended)`;

/** One line in the ledger for each queue: by how much each count changes. */
export function counted(from: string, changes: Partial<Record<Count, string>>): string {
  const columns = Object.keys(changes).join(', ');
  return `counted as (
    insert into hf.ledger (queue_id, step, ${columns})
    select x.queue_id, min(m.at_ms) / ${STEP_MS}, ${Object.values(changes).join(', ')}
    from ${from} x cross join moment m group by x.queue_id)`;
}

/** Asked once a statement, not once a row. */
export const LISTENED = '(select l.until_ms > m.at_ms from hf.listening l cross join moment m)';

/** Writes an event for each row, if anybody listens. */
export function told(from: string, columns: Readonly<Record<string, string>>, order = 'x.number', where = 'true') {
  return `(
    insert into hf.event (at_ms, ${Object.keys(columns).join(', ')})
    select m.at_ms, ${Object.values(columns).join(', ')}
    from ${from} x cross join moment m
    where ${LISTENED} and ${where} order by ${order})`;
}

/** What an event says of a job. */
export const JOB_FACTS = { queue_id: 'x.queue_id', number: 'x.number', name: 'x.name' };

/** Jobs that are not live any more take no key. */
export function freed(from: string): string {
  return `freed as (
    delete from hf.key_holder k using ${from} x where x.keyed and k.number = x.number returning k.*)`;
}

/**
 * For a condition on `hf.ready x` or `hf.scheduled x`: false for a job whose row is changed, where it is, in a transaction which this statement waits for. It
 * would see the new row here, and elsewhere what was before: another queue in `job`, and no row of that act in `act`.
 */
export function isAsSeen(table: 'ready' | 'scheduled'): string {
  return `x.ctid = (select o.ctid from hf.${table} o where o.number = x.number)`;
}

/** Whether a row has been where it is since before a snapshot; every one has where the parameter is null. */
export function unchangedSince(parameter: string, changedIn = 'changed_in'): string {
  return `(${parameter}::text is null or pg_visible_in_snapshot(${changedIn}, ${parameter}::text::pg_snapshot))`;
}

/** Dead jobs that are not dead any more. */
export function undied(from: string): string {
  return `undied as (
    insert into hf.death_ledger (fingerprint, queue_id, name, count)
    select x.error_kind, x.queue_id, x.name, -count(*) from ${from} x where x.error_kind is not null group by 1, 2, 3)`;
}
