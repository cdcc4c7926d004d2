import { StoreOpenError } from '@holdfast/contract';
import { NO_STORE, type Reach, type StoreLooks, type Teller } from '@holdfast/sql-store';
import { SERVER_NOW } from '../database.js';
import { SqlText, sql } from '../sql-text.js';
import type { Work } from '../work.js';

/** Which server it is, by whatever name it was reached. Each kind has another one of the first two. */
const SERVER = ['server_uuid', 'server_uid', 'hostname', 'port', 'datadir'];

export async function serverName(ask: Work['rows']): Promise<string> {
  const rows = await ask<{ Variable_name: string; Value: string }>(
    sql`show global variables where Variable_name in (${SERVER})`,
  );
  return rows.map(({ Value }) => Value).join(' ');
}

/** What the server numbers the next row with. It tells that as of now, and not as of the moment of a transaction; behind the rows it is in any case. */
function nextOf(schema: string, table: string, column: string): SqlText {
  const told = sql`(select auto_increment from information_schema.tables where table_schema = ${schema} and table_name = ${table})`;
  const [rows, name] = [new SqlText(`(select max(${column}) + 1 from hf.${table})`), new SqlText(`next_${column}`)];
  return sql`cast(greatest(coalesce(${told}, 1), coalesce(${rows}, 1)) as signed) as ${name}`;
}

/** @param schema the name of the database on the server */
export function storeLooks(ask: Work['rows'], schema: string, location: string): StoreLooks {
  return {
    async reach() {
      const rows = await ask<Omit<Reach, 'next_job_number'> & { readonly next_number: number }>(sql`
        select m.store_id, ${SERVER_NOW} as at_ms, m.processes + 1 as next_process_id, ${nextOf(schema, 'job', 'number')},
          ${nextOf(schema, 'lease', 'token')}, ${nextOf(schema, 'ended', 'end_number')} from hf.meta m`);
      const [reach] = rows;
      if (reach === undefined) throw new StoreOpenError(location, NO_STORE);
      return { ...reach, next_job_number: reach.next_number };
    },
    async heldId() {
      const [held] = await ask<{ store_id: string }>(sql`
        select store_id from hf.meta where exists (select 1 from hf.queue) or exists (select 1 from hf.job)
          or exists (select 1 from hf.request)`);
      return held?.store_id;
    },
    wasOpened: async () => (await ask(sql`select 1 from hf.meta where opened = 1`)).length > 0,
    async openProcess() {
      const lock = `hf:${schema}:of:`;
      const rows = await ask<{ host: string; pid: number }>(
        sql`select host, pid from hf.process where is_used_lock(concat(${lock}, id)) is not null limit 1`,
      );
      return rows[0];
    },
    async liveLease() {
      const rows = await ask<{ worker: string; leases: number }>(sql`
        select worker, count(*) over () as leases from hf.lease where deadline_ms > ${SERVER_NOW}
        order by deadline_ms desc limit 1`);
      return rows[0];
    },
    tellers: (withinMs) =>
      ask<Teller>(sql`
        select process_id, told_at_ms, ${SERVER_NOW} - told_at_ms as ago_ms from hf.crew
        where told_at_ms > ${SERVER_NOW} - ${withinMs} and process_id not in (select id from hf.process)`),
    pauseAMoment: () => ask(sql`select sleep(0.5)`),
  };
}
