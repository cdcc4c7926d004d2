import { STEP_ROWS } from '@holdfast/sql-store';
import { counted, MOMENT, PLACE, place } from './parts.js';

/** What is there to do: asked by the leader again and again, so one quick look at indexes and at small tables. */
export const LOOK = `
with ${MOMENT}
select m.at_ms,
  (select min(run_at_ms) from hf.scheduled) - m.at_ms as due_in_ms,
  (select min(deadline_ms) from hf.lease) - m.at_ms as lease_ends_in_ms,
  least((select min(expires_at_ms) from hf.ready where expires_at_ms is not null),
    (select min(expires_at_ms) from hf.scheduled where expires_at_ms is not null)) - m.at_ms as job_expires_in_ms,
  exists (select from hf.ledger) as to_fold, exists (select from hf.death_ledger) as to_catch_up
from moment m`;

/** Jobs whose time has come, a step of them. A job that is too old to start is left to its expiry. */
export const PROMOTE = `
with ${MOMENT},
due as (
  select s.number from hf.scheduled s cross join moment m
  where s.run_at_ms <= m.at_ms and (s.expires_at_ms is null or s.expires_at_ms > m.at_ms)
  order by s.run_at_ms, s.number limit ${STEP_ROWS} for update of s skip locked),
gone as (delete from hf.scheduled where number = any(array(select number from due)) returning *),
moved as (
  insert into hf.ready (${PLACE}, updated_at_ms, expires_at_ms)
  select ${place('x')}, x.run_at_ms, x.expires_at_ms from gone x),
${counted('gone', {
  scheduled: '-count(*)',
  retrying: '-count(*) filter (where x.attempts > 0)',
  ready: 'count(*)',
})}
select queue_id, count(*) as count from gone group by queue_id`;

/** Leases whose time is over, a step of them, held until they are ended in the same transaction. */
export const OVERDUE_LEASES = `
select l.number, l.token, l.worker, l.lease_ms, m.at_ms - l.deadline_ms as late_ms
from hf.lease l cross join (select hf.now_ms() as at_ms) m
where l.deadline_ms <= m.at_ms order by l.deadline_ms, l.token limit ${STEP_ROWS} for update of l skip locked`;

/** Jobs that came to an end, by queue and state: how many, and when the first of them ended. */
export const ENDED_HEADS = `
with ${MOMENT}
select q.id as queue_id, q.name, x.state, h.ended_at_ms, m.at_ms
from hf.queue q cross join (values ('completed'), ('cancelled'), ('dead')) x(state) cross join moment m
cross join lateral (
  select ended_at_ms from hf.ended e where e.queue_id = q.id and e.state = x.state order by end_number limit 1) h`;

/** Many numbers in one row: a row for each of them costs both sides more than the search. */
function allOf(text: string): string {
  return `select array(${text})::text as numbers`;
}

/** $1 queue, $2 state, $3 so many are kept, $4 at most so many are answered. */
export const BEYOND_COUNT = allOf(`
select number from hf.ended where queue_id = $1 and state = $2 order by end_number
limit least($4::int8, greatest(0, (
  select coalesce(sum(case $2 when 'completed' then completed when 'dead' then dead else cancelled end), 0) from (
    select completed, dead, cancelled from hf.queue_count where queue_id = $1
    union all select completed, dead, cancelled from hf.ledger where queue_id = $1) c) - $3::int8))`);

/** $3 milliseconds of age, $4 grain of the time of forgetting. Those that ended before one that is forgotten are forgotten too. */
export const BEYOND_AGE = allOf(`
select number from (
  select number, ended_at_ms, max(end_number) filter (
    where ceil((ended_at_ms + $3::int8)::numeric / $4::int8) * $4::int8 <= hf.now_ms()) over () as last, end_number
  from (
    select number, ended_at_ms, end_number from hf.ended
    where queue_id = $1 and state = $2 order by end_number limit $5) h) x
where end_number <= last order by end_number`);

/** $3 bytes of payloads and results. */
export const BEYOND_BYTES = allOf(`
select number from (
  select e.number, e.end_number, sum(e.result_size + j.payload_size) over (order by e.end_number desc) as bytes
  from hf.ended e join hf.job j using (queue_id, number) where e.queue_id = $1 and e.state = $2) x
where bytes > $3::int8 order by end_number limit $4`);

export const FORGET_EVENTS = 'delete from hf.event where at_ms < hf.now_ms() - $1::int8';
export const FORGET_LEASE_EXPIRIES = `
delete from hf.lease_expiry where id <= (select id from hf.lease_expiry order by id desc offset $1 limit 1)`;
