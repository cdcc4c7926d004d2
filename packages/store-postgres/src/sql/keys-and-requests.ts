import { MOMENT } from './parts.js';

/**
 * Locks until the end of the transaction, in an order that all share: $1 numbers of a kind of lock, $2 names. Two names of one hash only wait
 * for each other. It answers texts: Prisma refuses a column of the type void.
 */
export const LOCK_NAMES = `
select pg_advisory_xact_lock(h)::text from (
  select distinct hashtextextended(n, $1::int8) as h from unnest($2::text[]) n order by h) x`;

/** Live jobs that take these keys, and where they are. $1 queues, $2 keys. */
export const KEY_HOLDERS = `
select k.queue_id, k.key, k.number,
  case when r.number is not null then 'ready' when s.number is not null then 'scheduled' else 'leased' end as state
from (select distinct * from unnest($1::int4[], $2::text[]) as g(queue_id, key)) g
join hf.key_holder k on k.queue_id = g.queue_id and k.key = g.key
left join hf.ready r using (number) left join hf.scheduled s using (number)
order by k.number`;

export const KEY_WINDOWS = `
with ${MOMENT}
select w.queue_id, w.key, w.number
from (select distinct * from unnest($1::int4[], $2::text[]) as g(queue_id, key)) g
join hf.key_window w on w.queue_id = g.queue_id and w.key = g.key cross join moment m where w.until_ms > m.at_ms`;

/** $2 milliseconds for which a request is known. */
export const FIND_REQUEST = `
select fingerprint, answer from hf.request where id = $1 and at_ms > hf.now_ms() - $2::int8`;

export const KEEP_REQUEST = `
insert into hf.request as r (id, fingerprint, at_ms, jobs, answer) values ($1, $2, hf.now_ms(), $3, $4)
on conflict (id) do update set fingerprint = excluded.fingerprint, at_ms = excluded.at_ms, jobs = excluded.jobs,
  answer = excluded.answer`;

/** Too old ($1 milliseconds), or beyond so many ($2) or so many jobs ($3). */
export const FORGET_REQUESTS = `
delete from hf.request where id in (
  select id from (
    select id, at_ms, row_number() over w as place, sum(jobs) over w as jobs
    from hf.request window w as (order by at_ms desc, id)) x
  where at_ms <= hf.now_ms() - $1::int8 or place > $2 or x.jobs > $3)`;

export const FORGET_WINDOWS = 'delete from hf.key_window where until_ms <= hf.now_ms()';
