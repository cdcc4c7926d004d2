import type {
  ActRow,
  AttemptRow,
  NumberedRow,
  PauseRow,
  RequestRow,
  RowOfNote,
  RowOfWhole,
  WholeRows,
  WindowRow,
} from '@holdfast/sql-store';
import { SqlText, sql } from '../sql-text.js';
import { NOTE_COLUMNS } from '../steps/note-attempts.js';
import type { Work } from '../work.js';

/**
 * Every table is read along an index that is named: of tables that were filled a moment ago the server knows too little, and would read all of
 * them for each batch.
 */
const WHOLE_JOBS = sql`
select straight_join j.number, q.name as queue, j.name,
  case when r.number is not null then 'ready' when s.number is not null then 'scheduled'
    when l.number is not null then 'leased' else e.state end as state,
  coalesce(r.priority, s.priority, l.priority, e.priority) as priority,
  coalesce(r.attempts, s.attempts, l.attempts, e.attempts) as attempts, j.max_attempts, j.enqueued_at_ms,
  coalesce(r.run_at_ms, s.run_at_ms, l.run_at_ms, e.run_at_ms) as run_at_ms,
  coalesce(r.updated_at_ms, s.updated_at_ms, l.leased_at_ms, e.ended_at_ms) as updated_at_ms,
  coalesce(r.rank_ms, s.rank_ms, l.rank_ms) as rank_ms, coalesce(r.expires_at_ms, s.expires_at_ms) as expires_at_ms,
  j.payload_size, j.payload_text, j.payload_bytes, j.headers, j.timeout_ms, j.dedupe_key, j.cloned_from,
  j.backoff_base_ms, j.backoff_max_ms, j.backoff_doubles, j.backoff_jitter, j.backoff_name,
  l.token, l.worker, l.leased_at_ms, l.lease_ms,
  e.end_number, e.result_text, e.result_bytes, e.cancel_cause, e.token as acked_token, e.worker as acked_worker,
  e.leased_at_ms as acked_leased_at_ms, k.until_ms as held_until_ms, w.until_ms as window_until_ms
from hf.job j force index (primary) join hf.queue q force index (primary) on q.id = j.queue_id
left join hf.ready r force index (ready_number) on r.number = j.number
left join hf.scheduled s force index (primary) on s.number = j.number
left join hf.lease l force index (lease_number) on l.number = j.number
left join hf.ended e force index (ended_number) on e.number = j.number
left join hf.key_holder k force index (primary) on k.number = j.number
left join hf.key_window w force index (primary)
  on w.queue_id = j.queue_id and w.dedupe_key = j.dedupe_key and w.number = j.number`;

const COUNTS = sql`
select q.name as queue, x.state, x.count from (
  select queue_id, 'ready' as state, count(*) as count from hf.ready group by queue_id
  union all select queue_id, 'scheduled', count(*) from hf.scheduled group by queue_id
  union all select queue_id, 'leased', count(*) from hf.lease group by queue_id
  union all select queue_id, state, count(*) from hf.ended group by queue_id, state) x
join hf.queue q on q.id = x.queue_id`;

/** A word of the language, but also the name of the field. */
const KEY = new SqlText('`key`');

function atMost(limit: number): SqlText {
  return sql`limit ${new SqlText(String(limit))}`;
}

export function wholeRows(ask: Work['rows']): WholeRows {
  return {
    counts: () => ask(COUNTS),
    queues: () => ask<Partial<PauseRow> & { readonly name: string }>(sql`select * from hf.queue order by id`),
    sizes: (after, limit) =>
      ask(sql`select number, payload_size from hf.job force index (primary)
        where number > ${after} order by number ${atMost(limit)}`),
    async jobs(first, last) {
      const rows = await ask<RowOfWhole>(
        sql`${WHOLE_JOBS} where j.number between ${first} and ${last} order by j.number`,
      );
      return rows.map((row) => ({ ...row, backoff_doubles: Number(row.backoff_doubles) === 1 }));
    },
    attempts: (first, last) =>
      ask<AttemptRow & NumberedRow>(sql`select * from hf.attempt force index (primary)
        where number between ${first} and ${last} order by number, token`),
    notes: (first, last) =>
      ask<RowOfNote & NumberedRow>(sql`select ${NOTE_COLUMNS} from hf.note force index (primary)
        where number between ${first} and ${last} order by number, token`),
    acts: (first, last) =>
      ask<ActRow & NumberedRow>(sql`
        select a.*, f.name as from_queue, t.name as to_queue from hf.act a force index (act_of_job)
          left join hf.queue f on f.id = a.from_queue_id left join hf.queue t on t.id = a.to_queue_id
        where a.number between ${first} and ${last} order by a.number, a.id`),
    windows: ({ queue_id, key }, limit) =>
      ask<WindowRow>(sql`
        select straight_join q.name as queue, w.queue_id, w.dedupe_key as ${KEY}, w.number, w.until_ms
        from hf.key_window w force index (primary) join hf.queue q force index (primary) on q.id = w.queue_id
        where (w.queue_id > ${queue_id} or (w.queue_id = ${queue_id} and w.dedupe_key > ${key})) and not exists (
          select 1 from hf.job j where j.number = w.number and j.queue_id = w.queue_id and j.dedupe_key = w.dedupe_key)
        order by w.queue_id, w.dedupe_key ${atMost(limit)}`),
    requests: (sinceMs) =>
      ask(sql`select id, at_ms from hf.request force index (request_age) where at_ms > ${sinceMs} order by at_ms, id`),
    requestsOf: (ids) =>
      ask<RequestRow>(sql`
        select id, fingerprint, at_ms, answer from hf.request force index (primary) where id in (${ids})`),
  };
}
