import { SqlText, sql } from '../sql-text.js';
import type { Step } from './step.js';

export const nextProcess: Step<'nextProcess'> = {
  scope: 'together',
  async run(work) {
    await work.rows(sql`update hf.meta set processes = processes + 1`);
    return work.rows<{ id: number }>(sql`select processes as id from hf.meta`);
  },
};

interface RowOfMeta {
  readonly store_id: string;
  readonly opened: number;
  readonly at_ms: number;
  readonly last_expiry: number;
}

export const meta: Step<'meta'> = {
  scope: 'together',
  async run(work) {
    const [row] = await work.rows<RowOfMeta>(sql`
      select m.store_id, m.opened, ${work.now} as at_ms,
        (select coalesce(max(id), 0) from hf.lease_expiry) as last_expiry from hf.meta m for update`);
    if (row === undefined) return [];
    if (row.opened === 0) await work.rows(sql`update hf.meta set opened = 1`);
    const { store_id, last_expiry, at_ms } = row;
    return [{ store_id, last_expiry, at_ms, is_new: row.opened === 0 }];
  },
};

export const time: Step<'time'> = {
  scope: 'separately',
  run: (work) => work.rows<{ at_ms: number }>(sql`select ${work.now} as at_ms`),
};

/**
 * As the server estimates it. MySQL would tell what it estimated a day ago, unless it is asked in this way; for MariaDB that is a comment. How far the log of
 * the server has come is told only to its administrators.
 */
export const storage: Step<'storage'> = {
  scope: 'separately',
  run: (work) =>
    work.rows<{ bytes: number; log_place: string }>(sql`
      select ${FRESH} cast(coalesce(sum(data_length + index_length), 0) as signed) as bytes, '0' as log_place
      from information_schema.tables where table_schema = ${SCHEMA}`),
};

const FRESH = new SqlText('/*+ set_var(information_schema_stats_expiry = 0) */');
/** The table that is there for sure names the schema. */
const SCHEMA = sql`substring_index('hf.', '.', 1)`;
