import { counted, MOMENT, PLACE, place } from './parts.js';

/**
 * Leases ready jobs: $1 queues, $2 names or null, $3 limit, $4 milliseconds of the lease, $5 worker, $6 to $8 the place in the order to
 * begin at. What another claim is taking at this moment is
 * skipped. `materialized`: the picking part must run once, or more than the limit would be taken. A planner that does not know the limit
 * takes it for a tenth of the table, so the rest is said in ways that leave it no choice: rows are deleted where they were found, which asks no
 * index. They are locked, so nobody moves them meanwhile; one that was moved just before it was locked is deleted where it is now or stays, and what was not
 * deleted is not leased.
 */
export const CLAIM = `
with ${MOMENT},
picked as materialized (
  select r.ctid as at from moment m
  cross join lateral (
    select id from hf.queue
    where id = any($1::int4[]) and (paused_since_ms is null or paused_until_ms <= m.at_ms)) q
  cross join lateral (
    select ctid, priority, rank_ms, number from hf.ready
    where queue_id = q.id and (priority, rank_ms, number) >= ($6::int8, $7::int8, $8::int8) and ($2::text[] is null or name = any($2)) and (expires_at_ms is null or expires_at_ms > m.at_ms)
    order by priority, rank_ms, number limit $3 for update skip locked) r
  order by r.priority, r.rank_ms, r.number limit $3),
gone as (delete from hf.ready where ctid = any(array(select at from picked)) returning ${PLACE}),
leased as (
  insert into hf.lease (${PLACE}, token, worker, leased_at_ms, lease_ms, deadline_ms)
  select ${place('p', { attempts: 'p.attempts + 1' })}, nextval('hf.token'), $5, m.at_ms, $4::int8, m.at_ms + $4::int8
  from (select * from gone order by priority, rank_ms, number) p cross join moment m
  returning number, queue_id, priority, rank_ms, attempts, token),
${counted('leased', { total_claimed: 'count(*)', ready: '-count(*)', leased: 'count(*)' })}
select l.number, l.queue_id, l.priority, l.rank_ms, l.attempts, l.token, j.name, j.max_attempts, j.payload_text, j.payload_bytes,
  j.headers, j.timeout_ms, j.enqueued_at_ms, j.backoff_name
from leased l cross join lateral (select * from hf.job where queue_id = l.queue_id and number = l.number offset 0) j order by l.token`;

/** Ready jobs that are gone and whose rows are not cleared away. */
export const GONE_READY = `select pg_stat_get_dead_tuples('hf.ready'::regclass) as gone`;
