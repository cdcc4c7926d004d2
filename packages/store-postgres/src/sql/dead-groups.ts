import { PIECE_LINES, takenFrom } from './read-queues.js';

/** Adds up a piece of the ledger of deaths. Two who do it at once add different lines. */
export const FOLD_DEATHS = `
with gone as (${takenFrom('hf.death_ledger')}),
folded as (
insert into hf.death_count as c (fingerprint, queue_id, name, count, error_class, message, frame, first_at_ms, last_at_ms)
select fingerprint, queue_id, name, sum(count), min(error_class), min(message), min(frame), min(first_at_ms), max(last_at_ms)
from gone group by fingerprint, queue_id, name order by fingerprint, queue_id, name
on conflict (fingerprint, queue_id, name) do update set
  count = c.count + excluded.count, error_class = coalesce(c.error_class, excluded.error_class),
  message = coalesce(c.message, excluded.message), frame = coalesce(c.frame, excluded.frame),
  first_at_ms = least(case when c.count > 0 then c.first_at_ms end, excluded.first_at_ms),
  last_at_ms = greatest(c.last_at_ms, excluded.last_at_ms))
select count(*) = ${PIECE_LINES} as more from gone`;

/** Kinds of which no job is left. What somebody adds to one at this moment makes it anew. */
export const FORGET_DEATHS = 'delete from hf.death_count where count = 0';

/** Kinds of errors by queue and name; $1 queue or null for all but Holdfast's own, $2 name or null, $3 class or null. */
export const DEATHS = `
select c.fingerprint, q.id as queue_id, q.name as queue, c.name, sum(c.count)::int8 as count, min(c.error_class) as error_class,
  min(c.message) as message, min(c.frame) as frame, min(c.first_at_ms) as first_at_ms, max(c.last_at_ms) as last_at_ms
from (select * from hf.death_count union all select * from hf.death_ledger) c join hf.queue q on q.id = c.queue_id
where case when $1::int4 is null then q.name not like 'holdfast.%' else q.id = $1 end and ($2::text is null or c.name = $2)
group by c.fingerprint, q.id, q.name, c.name
having sum(c.count) > 0 and ($3::text is null or min(c.error_class) = $3)`;

/** The latest dead jobs ($4 at most) of kinds ($1), of queues ($2) and a name ($3) or null. */
export const DEATH_SAMPLES = `
select k.kind as fingerprint, e.number from unnest($1::text[]) k(kind) cross join lateral (
  select number from hf.ended
  where state = 'dead' and error_kind = k.kind and queue_id = any($2::int4[]) and ($3::text is null or name = $3)
  order by end_number desc limit $4) e`;
