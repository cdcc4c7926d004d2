import type { StoreIdentity } from '@holdfast/contract/moving';
import type { TableRow, WholeTables } from '@holdfast/sql-store';
import { storedText } from '../stored-text.js';
import type { Ask } from './read-rows.js';

const ADD_QUEUES = `
insert into hf.queue (name) select n from unnest($1::text[]) n returning id, name`;

const PAUSE_QUEUE = `
update hf.queue set paused_since_ms = $2, paused_until_ms = $3, paused_actor = $4, paused_reason = $5 where id = $1`;

const BECOME = 'update hf.meta set store_id = $1, opened = true';

/** A sequence that has given out nothing yet begins with 1. */
const COUNT_ON = `
select setval('hf.job_number', $1::int8, false), setval('hf.token', $2::int8, false), setval('hf.end_number', $3::int8, false)`;

/** So much of JSON goes in one statement, or one row. */
const PIECE_CHARACTERS = 16 * 1024 * 1024;

export function wholeTables(ask: Ask, atMs: number): WholeTables {
  return {
    atMs,
    async addQueues(names) {
      const rows = await ask<{ id: number; name: string }>(ADD_QUEUES, [names]);
      return new Map(rows.map(({ id, name }) => [name, id]));
    },
    async insert(table, rows) {
      const [first] = rows;
      if (first === undefined) return;
      const columns = Object.keys(first).join(', ');
      const text = `insert into hf.${table} (${columns}) select ${columns} from json_populate_recordset(null::hf.${table}, $1::json)`;
      for (const piece of pieces(rows.map(jsonOf))) await ask(text, [piece]);
    },
    async pause(queueId, pause) {
      await ask(PAUSE_QUEUE, [
        queueId,
        pause.paused_since_ms,
        pause.paused_until_ms,
        pause.paused_actor,
        pause.paused_reason,
      ]);
    },
    async become({ storeId, nextNumber, nextToken, nextEnd }: StoreIdentity) {
      await ask(BECOME, [storeId]);
      await ask(COUNT_ON, [nextNumber, nextToken, nextEnd]);
    },
  };
}

/** In order, as few as the bound allows. */
function* pieces(rows: readonly string[]): Generator<string> {
  let piece: string[] = [];
  let length = 0;
  for (const row of rows) {
    if (length > 0 && length + row.length > PIECE_CHARACTERS) {
      yield `[${piece.join(',')}]`;
      piece = [];
      length = 0;
    }
    piece.push(row);
    length += row.length;
  }
  yield `[${piece.join(',')}]`;
}

function jsonOf(row: TableRow): string {
  return JSON.stringify(Object.fromEntries(Object.entries(row).map(([column, value]) => [column, storedValue(value)])));
}

function storedValue(value: TableRow[string]): string | number | boolean | null {
  if (typeof value === 'string') return storedText(value);
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : value;
}
