import { COUNTS, STEP_MS } from '@holdfast/sql-store';
import { LISTENED, MOMENT } from './parts.js';

/** What is folded and what is not, in one view of the database: exact at every moment. */
export const SUMS = `sums as (
  select queue_id, ${COUNTS.map((count) => `sum(${count})::int8 as ${count}`).join(', ')} from (
    select queue_id, ${COUNTS.join(', ')} from hf.queue_count
    union all select queue_id, ${COUNTS.join(', ')} from hf.ledger) c group by queue_id)`;

export const COUNTS_IN_STATES = ['scheduled', 'ready', 'leased', 'completed', 'dead', 'cancelled'] as const;

/** Ready jobs that are looked at for the one that waits longest: in a longer queue, those that are claimed next. */
const OLDEST_OF = 10_000;

/** $1 names, or null for all. */
export const QUEUES = `
with ${MOMENT}, ${SUMS}
select q.*, ${COUNTS.map((count) => `coalesce(s.${count}, 0)::int8 as ${count}`).join(', ')}, m.at_ms,
  coalesce(q.paused_since_ms is not null and (q.paused_until_ms is null or q.paused_until_ms > m.at_ms), false) as is_paused,
  case when s.ready > 0 then (
    select min(run_at_ms) from (
      select run_at_ms from hf.ready r where r.queue_id = q.id order by priority, rank_ms, number limit ${OLDEST_OF}) x)
    end as oldest_ready_at_ms,
  (select json_agg(json_build_array(step, enqueued, completed, failed)) from (
    select step, sum(enqueued)::int8 as enqueued, sum(completed)::int8 as completed, sum(failed)::int8 as failed from (
      select step, enqueued, completed, failed from hf.throughput t where t.queue_id = q.id
      union all select step, total_enqueued, total_completed, total_failed from hf.ledger t where t.queue_id = q.id) t
    group by step) t) as throughput
from hf.queue q left join sums s on s.queue_id = q.id cross join moment m
where $1::text[] is null or q.name = any($1)`;

export const TOTALS = `
with ${SUMS}
select ${COUNTS.filter((count) => count.startsWith('total_'))
  .map((count) => `coalesce(sum(${count}), 0)::int8 as ${count}`)
  .join(', ')} from sums`;

/** Lines of one piece: so few that no statement takes long, however much is to be folded. */
export const PIECE_LINES = 10_000;

export function takenFrom(table: string): string {
  return `delete from ${table} where ctid = any(array(
    select ctid from ${table} limit ${PIECE_LINES} for update skip locked)) returning *`;
}

/** Adds up a piece of the ledger. Two who do it at once fold different lines. */
export const FOLD = `
with gone as (${takenFrom('hf.ledger')}),
folded as (
  insert into hf.queue_count as c (queue_id, ${COUNTS.join(', ')})
  select queue_id, ${COUNTS.map((count) => `sum(${count})`).join(', ')} from gone group by queue_id order by queue_id
  on conflict (queue_id) do update set ${COUNTS.map((count) => `${count} = c.${count} + excluded.${count}`).join(', ')}),
series as (
  insert into hf.throughput as t (queue_id, step, enqueued, completed, failed)
  select queue_id, step, sum(total_enqueued), sum(total_completed), sum(total_failed) from gone
  where total_enqueued > 0 or total_completed > 0 or total_failed > 0 group by queue_id, step order by queue_id, step
  on conflict (queue_id, step) do update set enqueued = t.enqueued + excluded.enqueued,
    completed = t.completed + excluded.completed, failed = t.failed + excluded.failed)
select count(*) = ${PIECE_LINES} as more from gone`;

/** $1 steps are kept. */
export const FORGET_THROUGHPUT = `delete from hf.throughput where step < hf.now_ms() / ${STEP_MS} - $1::int8`;

export const QUEUE_IDS = 'select id, name from hf.queue where name = any($1::text[])';
export const ADD_QUEUES = `
insert into hf.queue (name) select distinct n from unnest($1::text[]) n order by n on conflict (name) do nothing`;

/** $2 milliseconds or null. The time since when it is paused stays while it is. */
export const PAUSE = `
with ${MOMENT},
paused as (
  update hf.queue q set
    paused_since_ms = case when q.paused_until_ms <= m.at_ms then m.at_ms else coalesce(q.paused_since_ms, m.at_ms) end,
    paused_until_ms = m.at_ms + $2::int8, paused_actor = $3, paused_reason = $4::text
  from moment m where q.id = $1 returning q.*),
told as (
  insert into hf.event (at_ms, kind, queue_id, actor)
  select m.at_ms, 'paused', p.id, $3 from paused p cross join moment m
  where ${LISTENED})
select * from paused`;

/** Answers whether it was paused. */
export const RESUME = `
with ${MOMENT},
held as (
  select q.id, q.paused_until_ms from hf.queue q
  where q.name = $1 and q.paused_since_ms is not null for update),
resumed as (
  update hf.queue q set paused_since_ms = null, paused_until_ms = null, paused_actor = null, paused_reason = null
  from held h where q.id = h.id returning q.id),
was as (
  select h.id from held h cross join moment m where h.paused_until_ms is null or h.paused_until_ms > m.at_ms),
told as (
  insert into hf.event (at_ms, kind, queue_id, actor)
  select m.at_ms, 'resumed', w.id, $2 from was w cross join moment m
  where ${LISTENED})
select id from was`;
