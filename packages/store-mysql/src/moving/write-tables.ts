import type { StoreIdentity } from '@holdfast/contract/moving';
import type { TableName, TableRow, WholeTables } from '@holdfast/sql-store';
import { insertRows, type NewRow } from '../insert-rows.js';
import { SqlText, sql } from '../sql-text.js';
import type { Work } from '../work.js';

type Rows = readonly TableRow[];

/** Tables that are not as in the other databases. To plans, moved jobs have been where they are since before the first change. */
const INSERTS: Partial<Record<TableName, (work: Work, rows: Rows) => Promise<void>>> = {
  ready: (work, rows) => insertRows(work, 'hf.ready', rows.map(placed)),
  scheduled: (work, rows) => insertRows(work, 'hf.scheduled', rows.map(placed)),
  lease: (work, rows) => insertRows(work, 'hf.lease', rows.map(placed)),
  async ended(work, rows) {
    await insertRows(
      work,
      'hf.ended',
      rows.map(({ error_kind: _, ...row }) => placed(row)),
    );
    await insertRows(work, 'hf.death', rows.filter(({ error_kind }) => error_kind !== null).map(death));
  },
  death_count: (work, rows) => insertRows(work, 'hf.death_kind', deathKinds(rows)),
  key_holder: (work, rows) => insertRows(work, 'hf.key_holder', rows.map(keyed)),
  key_window: (work, rows) => insertRows(work, 'hf.key_window', rows.map(keyed)),
  note: (work, rows) =>
    insertRows(
      work,
      'hf.note',
      rows.map(({ lines = null, ...row }) => ({ ...row, log_lines: lines })),
    ),
};

function placed(row: TableRow): NewRow {
  return { ...row, changed_in: 0 };
}

function keyed({ key = null, ...row }: TableRow): NewRow {
  return { ...row, dedupe_key: key };
}

function death({ number, error_kind, queue_id, name, end_number, ended_at_ms }: TableRow): NewRow {
  const died = { number, kind: error_kind, queue_id, name, end_number, died_at_ms: ended_at_ms };
  return died as NewRow;
}

/** They are counted when somebody asks, so a kind is one row. */
function deathKinds(rows: Rows): NewRow[] {
  const kinds = new Map(
    rows.map(({ fingerprint = null, error_class = null, message = null, frame = null }) => [
      fingerprint,
      { kind: fingerprint, error_class, message, frame },
    ]),
  );
  return [...kinds.values()];
}

/** Rows by which the server is made to count on from a number; they are gone again at once. */
const NO_JOB = {
  queue_id: 0,
  name: '',
  backoff_base_ms: 0,
  backoff_max_ms: 0,
  backoff_doubles: 0,
  backoff_jitter: '',
  payload_size: 0,
  enqueued_at_ms: 0,
};
const NOWHERE = {
  number: 0,
  queue_id: 0,
  name: '',
  priority: 0,
  attempts: 0,
  run_at_ms: 0,
  changed_in: 0,
};
const NO_LEASE = { ...NOWHERE, rank_ms: 0, keyed: 0, worker: '', leased_at_ms: 0, lease_ms: 0, deadline_ms: 0 };
const NO_END = { ...NOWHERE, state: 'cancelled', ended_at_ms: 0 };

export function wholeTables(work: Work, atMs: number): WholeTables {
  return {
    atMs,
    async addQueues(names) {
      await insertRows(
        work,
        'hf.queue',
        names.map((name) => ({ name })),
      );
      const rows = await work.rows<{ id: number; name: string }>(
        sql`select id, name from hf.queue where name in (${names})`,
      );
      return new Map(rows.map(({ id, name }) => [name, id]));
    },
    insert: (table, rows) => INSERTS[table]?.(work, rows) ?? insertRows(work, `hf.${table}`, rows),
    async pause(
      queueId,
      { paused_since_ms = null, paused_until_ms = null, paused_actor = null, paused_reason = null },
    ) {
      await work.rows(sql`
        update hf.queue set paused_since_ms = ${paused_since_ms}, paused_until_ms = ${paused_until_ms},
          paused_actor = ${paused_actor}, paused_reason = ${paused_reason} where id = ${queueId}`);
    },
    async become({ storeId, nextNumber, nextToken, nextEnd }: StoreIdentity) {
      await work.rows(sql`update hf.meta set store_id = ${storeId}, opened = 1`);
      await countOn(work, 'job', 'number', nextNumber, NO_JOB);
      await countOn(work, 'lease', 'token', nextToken, NO_LEASE);
      await countOn(work, 'ended', 'end_number', nextEnd, NO_END);
    },
  };
}

/**
 * To set `auto_increment` is a change of the table, which would commit what was written so far. But the server never gives a number below one that a row has
 * had, be it for a moment, and it keeps that through a restart.
 */
async function countOn(work: Work, table: string, column: string, next: number, row: NewRow): Promise<void> {
  const last = next - 1;
  const [where, name] = [new SqlText(`hf.${table}`), new SqlText(column)];
  const reached = await work.rows(sql`select 1 from ${where} where ${name} >= ${last} limit 1`);
  if (last === 0 || reached.length > 0) return;
  await insertRows(work, `hf.${table}`, [{ [column]: last, ...row }]);
  await work.rows(sql`delete from ${where} where ${name} = ${last}`);
}
