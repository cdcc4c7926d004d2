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

/** What the last minutes show of a queue, by the column of the ledger. */
const SERIES = { enqueued: 'total_enqueued', completed: 'total_completed', failed: 'total_failed' } as const;
const SHOWN = Object.keys(SERIES).map((column) => `shown_${column}`);

/** Rows with all counts and all that is shown, of which a table has some. */
function partOf(table: string, of: string, isWanted: string, known: Readonly<Record<string, string>>): string {
  const columns = ['step', ...COUNTS, ...SHOWN].map(
    (column) => `${known[column] ?? (column === 'step' ? 'null::int8' : '0')} as ${column}`,
  );
  return `select ${of} as queue_id, ${columns.join(', ')} from hf.${table} where ${isWanted.replace('%', of)}`;
}

const COUNTED = Object.fromEntries(COUNTS.map((count) => [count, count]));
const SHOWN_OF_LEDGER = Object.fromEntries(Object.entries(SERIES).map(([column, count]) => [`shown_${column}`, count]));
const SHOWN_OF_SERIES = Object.fromEntries(Object.keys(SERIES).map((column) => [`shown_${column}`, column]));
/** Sums of int8 are numerics, which take many times as long. All of these are whole numbers that JavaScript can hold, which float8 adds up as they are. */
const sumOf = (columns: readonly string[]) =>
  columns.map((column) => `sum(${column}::float8)::int8 as ${column}`).join(', ');

/**
 * Everything is added up by queue in one pass, and what a queue is called is looked up last, by its key: a planner that took the tables for small would join
 * 100,000 queues with as many counts one by one.
 */
function queuesText(isWanted: string): string {
  return `
with ${MOMENT},
sums as (
  select queue_id, ${sumOf(COUNTS)},
    string_agg('[' || concat_ws(',', step, ${SHOWN.join(', ')}) || ']', ',') filter (where step is not null) as throughput
  from (
    ${partOf('queue', 'id', isWanted, {})}
    union all ${partOf('queue_count', 'queue_id', isWanted, COUNTED)}
    union all ${partOf('ledger', 'queue_id', isWanted, { step: 'step', ...COUNTED, ...SHOWN_OF_LEDGER })}
    union all ${partOf('throughput', 'queue_id', isWanted, { step: 'step', ...SHOWN_OF_SERIES })}) p
  group by queue_id)
select q.*, ${COUNTS.map((count) => `s.${count}`).join(', ')}, m.at_ms,
  coalesce(q.paused_since_ms is not null and (q.paused_until_ms is null or q.paused_until_ms > m.at_ms), false) as is_paused,
  case when s.ready > 0 then (
    select min(run_at_ms) from (
      select run_at_ms from hf.ready r where r.queue_id = q.id order by priority, rank_ms, number limit ${OLDEST_OF}) x)
    end as oldest_ready_at_ms,
  s.throughput
from sums s cross join lateral (select * from hf.queue where id = s.queue_id offset 0) q cross join moment m`;
}

export const QUEUES = queuesText('true');
/** $1 names. */
export const QUEUES_NAMED = queuesText('% = any(array(select id from hf.queue where name = any($1::text[])))');

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
