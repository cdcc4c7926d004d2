import { PLACED } from '../sql/parts.js';

/** What is asked of a store that is read whole. */
const STATE = `case when r.number is not null then 'ready' when s.number is not null then 'scheduled'
  when l.number is not null then 'leased' else e.state end`;

const JOINS = `left join hf.ready r on r.number = p.number left join hf.scheduled s on s.number = p.number
  left join hf.lease l on l.number = p.number left join hf.ended e on e.number = p.number`;

const COUNTERS = ['job_number', 'token', 'end_number', 'process_id'] as const;

/** The next number of each sequence; not as of the moment of the transaction, but as of now. */
export const REACH = `
select m.store_id, hf.now_ms() as at_ms, ${COUNTERS.map((name) => `(select last_value + is_called::int from hf.${name}) as next_${name}`).join(', ')}
from hf.meta m`;

/** Which database of which server it is, by whatever name it was reached. */
export const DATABASE = `
select (select system_identifier::text from pg_control_system()) || '/' || oid as database from pg_database where datname = current_database()`;

/** As a process that opens the store takes it: whoever wants to write its name there waits. */
export const HOLD_DOOR = 'lock table hf.process in share mode';

/** Waits for whoever is changing something, and lets nobody begin: every call that changes a job, a queue or a key writes to one of these. */
export const HOLD_STILL =
  'lock table hf.job, hf.lease, hf.ended, hf.ready, hf.scheduled, hf.queue, hf.key_holder, hf.request in share mode';

/** Until the store is whole nobody reads or writes in it. */
export const HOLD_ALL = 'lock table hf.meta, hf.queue, hf.job in access exclusive mode';

/** A process that has the store open. Those that have ended without closing hold no lock. */
export const OPEN_PROCESS = `
select p.host, p.pid from hf.process p
where not pg_try_advisory_xact_lock('hf.process'::regclass::oid::int4, p.id) limit 1`;

export const LIVE_LEASE = `
select l.worker, count(*) over () as leases from hf.lease l where l.deadline_ms > hf.now_ms() order by l.deadline_ms desc limit 1`;

/** Who tells of workers. Processes that are known to have ended are none of them. */
export const TELLERS = `
select c.process_id, c.told_at_ms, hf.now_ms() - c.told_at_ms as ago_ms from hf.crew c
where c.told_at_ms > hf.now_ms() - $1::int8 and c.process_id not in (select id from hf.process)`;

export const PAUSE_A_MOMENT = 'select 1 from pg_sleep(0.5)';

export const HOLDS = `
select store_id from hf.meta where exists (select from hf.queue) or exists (select from hf.job) or exists (select from hf.request)`;

/** A process that keeps no session is seen by nothing else while it has an empty store open. */
export const WAS_OPENED = 'select from hf.meta where opened';

export const COUNT_JOBS = `
select q.name as queue, x.state, x.count from (
  select queue_id, 'ready' as state, count(*) as count from hf.ready group by queue_id
  union all select queue_id, 'scheduled', count(*) from hf.scheduled group by queue_id
  union all select queue_id, 'leased', count(*) from hf.lease group by queue_id
  union all select queue_id, state, count(*) from hf.ended group by queue_id, state) x
join hf.queue q on q.id = x.queue_id`;

export const ALL_QUEUES = 'select * from hf.queue order by id';

export const SIZES = `
select p.number, j.payload_size from (select number, queue_id from ${PLACED} p where number > $1 order by number limit $2) p
join hf.job j on j.queue_id = p.queue_id and j.number = p.number order by p.number`;

export const WHOLE_JOBS = `
select j.number, q.name as queue, j.name, ${STATE} as state,
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
from ${PLACED} p join hf.job j on j.queue_id = p.queue_id and j.number = p.number ${JOINS} join hf.queue q on q.id = j.queue_id
left join hf.key_holder k on k.number = p.number
left join hf.key_window w on w.queue_id = j.queue_id and w.key = j.dedupe_key and w.number = j.number
where p.number between $1 and $2 order by p.number`;

export const ATTEMPTS = 'select * from hf.attempt where number between $1 and $2 order by number, token';
export const NOTES = 'select * from hf.note where number between $1 and $2 order by number, token';
export const ACTS = `
select a.*, f.name as from_queue, o.name as to_queue from hf.act a
left join hf.queue f on f.id = a.from_queue_id left join hf.queue o on o.id = a.to_queue_id
where a.number between $1 and $2 order by a.number, a.id`;

/** Of jobs that are forgotten: the others tell of their keys themselves. */
export const WINDOWS = `
select q.name as queue, w.queue_id, w.key, w.number, w.until_ms from hf.key_window w join hf.queue q on q.id = w.queue_id
where (w.queue_id, w.key) > ($1, $2) and not exists (
  select from hf.job j where j.number = w.number and j.queue_id = w.queue_id and j.dedupe_key = w.key)
order by w.queue_id, w.key limit $3`;

export const REQUESTS = 'select id, at_ms from hf.request where at_ms > $1 order by at_ms, id';
export const REQUESTS_OF = 'select id, fingerprint, at_ms, answer from hf.request where id = any($1::text[])';
