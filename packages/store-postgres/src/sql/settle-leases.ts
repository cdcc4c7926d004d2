import { counted, freed, JOB_FACTS, MOMENT, PLACE, PLACED, place, told } from './parts.js';

const RESULT_PARAMETERS = '$3::text[], $4::bytea[], $5::int4[]';
const RESULTS = 'result_text, result_bytes, result_size';

/**
 * Each takes pairs of job and token, every pair once, and answers the jobs whose lease it was. A pair that is not the live
 * lease finds no row, so nothing is done for it.
 */
function ackText(withResults: boolean): string {
  const [parameters, columns] = withResults ? [`, ${RESULT_PARAMETERS}`, `${RESULTS}, `] : ['', ''];
  return `
with ${MOMENT},
gone as (
  delete from hf.lease l
  using unnest($1::int8[], $2::int8[]${parameters}) with ordinality as g(number, token, ${columns}ord)
  where l.number = g.number and l.token = g.token
  returning l.number, l.queue_id, l.name, l.priority, l.attempts, l.run_at_ms, l.keyed, l.token, l.worker, l.leased_at_ms, ${columns}g.ord),
done as (
  insert into hf.ended (number, queue_id, name, priority, attempts, run_at_ms, state, ended_at_ms, end_number,
    ${columns}token, worker, leased_at_ms)
  select x.number, x.queue_id, x.name, x.priority, x.attempts, x.run_at_ms, 'completed', m.at_ms, nextval('hf.end_number'),
    ${columns}x.token, x.worker, x.leased_at_ms
  from (select * from gone order by ord) x cross join moment m),
${freed('gone')},
kept as (
  insert into hf.key_window (queue_id, key, number, until_ms)
  select distinct on (f.queue_id, f.key) f.queue_id, f.key, f.number, f.until_ms
  from freed f cross join moment m where f.until_ms > m.at_ms order by f.queue_id, f.key, f.number desc
  on conflict (queue_id, key) do update set number = excluded.number, until_ms = excluded.until_ms),
${counted('gone', { total_completed: 'count(*)', leased: '-count(*)', completed: 'count(*)' })},
told as ${told('gone', { kind: "'completed'", ...JOB_FACTS }, 'x.ord')}
select case when count(*) < cardinality($1::int8[]) then array(select ord from gone)::text end as places from gone`;
}

/** Most jobs have no result. */
export const ACK = ackText(false);
export const ACK_WITH_RESULTS = ackText(true);

/** Ends attempts that did not complete. $6 says how they ended: failed, or leaseExpired. */
export const FAIL = `
with ${MOMENT},
gone as (
  delete from hf.lease l
  using unnest($1::int8[], $2::int8[], $3::text[], $4::int8[], $5::int8[], $7::text[], $8::text[], $9::text[],
    $10::text[], $11::text[], $12::text[]) with ordinality
    as g(number, token, ending, retry_ms, late_ms, error_class, error_message, error_stack, kind, kind_message, kind_frame, ord)
  where l.number = g.number and l.token = g.token
  returning l.*, g.ending, g.retry_ms, g.late_ms, g.error_class, g.error_message, g.error_stack,
    g.kind, g.kind_message, g.kind_frame, g.ord),
judged as materialized (
  select g.*, m.at_ms,
    case when g.ending = 'cancel' then 'cancelled'
      when g.ending = 'dead' or g.attempts >= j.max_attempts then 'dead' else 'scheduled' end as state,
    m.at_ms + case when g.ending = 'delay' then g.retry_ms
      else hf.backoff_ms(j.backoff_base_ms, j.backoff_max_ms, j.backoff_doubles, j.backoff_jitter, g.attempts)
      end as retry_at_ms
  from (select * from gone order by ord) g join hf.job j on j.queue_id = g.queue_id and j.number = g.number cross join moment m),
history as (
  insert into hf.attempt (number, token, attempt, worker, started_at_ms, ended_at_ms, outcome, error_class, error_message, error_stack)
  select number, token, attempts, worker, leased_at_ms, at_ms, case when state = 'cancelled' then 'cancelled' else $6 end,
    error_class, error_message, error_stack from judged),
to_scheduled as (
  insert into hf.scheduled (${PLACE}, updated_at_ms)
  select ${place('x', { run_at_ms: 'x.retry_at_ms' })}, x.at_ms
  from judged x where x.state = 'scheduled' and x.retry_at_ms > x.at_ms),
to_ready as (
  insert into hf.ready (${PLACE}, updated_at_ms)
  select ${place('x', { run_at_ms: 'x.retry_at_ms' })}, x.at_ms
  from judged x where x.state = 'scheduled' and x.retry_at_ms <= x.at_ms),
over as (select * from judged where state <> 'scheduled'),
done as (
  insert into hf.ended (number, queue_id, name, priority, attempts, run_at_ms, state, ended_at_ms, end_number, cancel_cause, error_kind)
  select number, queue_id, name, priority, attempts, run_at_ms, state, at_ms, nextval('hf.end_number'),
    case when state = 'cancelled' then 'handler' end, case when state = 'dead' then kind end
  from (select * from over order by ord) x),
died as (
  insert into hf.death_ledger (fingerprint, queue_id, name, count, error_class, message, frame, first_at_ms, last_at_ms)
  select kind, queue_id, name, count(*), min(error_class), min(kind_message), min(kind_frame), min(at_ms), max(at_ms)
  from over where state = 'dead' group by kind, queue_id, name),
${freed('over')},
${counted('judged', {
  total_failed: "count(*) filter (where x.state <> 'cancelled')",
  total_dead: "count(*) filter (where x.state = 'dead')",
  total_expired: "count(*) filter (where $6 = 'leaseExpired')",
  leased: '-count(*)',
  scheduled: "count(*) filter (where x.state = 'scheduled' and x.retry_at_ms > x.at_ms)",
  retrying: "count(*) filter (where x.state = 'scheduled' and x.retry_at_ms > x.at_ms)",
  ready: "count(*) filter (where x.state = 'scheduled' and x.retry_at_ms <= x.at_ms)",
  dead: "count(*) filter (where x.state = 'dead')",
  cancelled: "count(*) filter (where x.state = 'cancelled')",
})},
expiries as (
  insert into hf.lease_expiry (number, queue_id, name, worker, attempt, at_ms, late_ms, then_state)
  select number, queue_id, name, worker, attempts, at_ms, late_ms, state from judged
  where $6 = 'leaseExpired' order by ord),
said as (
  select *, 0 as part from judged where $6 = 'leaseExpired' union all select *, 1 as part from judged),
told as ${told(
  'said',
  {
    ...JOB_FACTS,
    kind: `case when x.part = 0 then 'leaseExpired' when x.state = 'scheduled' then 'retried' else x.state end`,
    attempt: 'x.attempts',
    worker: 'x.worker',
    error_class: 'x.error_class',
    error_message: 'x.error_message',
  },
  'x.ord, x.part',
)}
select number, token, queue_id, case when state = 'scheduled' then retry_at_ms - at_ms end as waits_ms from judged`;

/** Hands jobs back; the attempt is not counted. */
export const RELEASE = `
with ${MOMENT},
gone as (
  delete from hf.lease l using unnest($1::int8[], $2::int8[], $3::int8[]) as g(number, token, delay_ms)
  where l.number = g.number and l.token = g.token returning l.*, g.delay_ms),
history as (
  insert into hf.attempt (number, token, attempt, worker, started_at_ms, ended_at_ms, outcome)
  select x.number, x.token, x.attempts, x.worker, x.leased_at_ms, m.at_ms, 'released' from gone x cross join moment m),
to_ready as (
  insert into hf.ready (${PLACE}, updated_at_ms)
  select ${place('x', { attempts: 'x.attempts - 1', run_at_ms: 'm.at_ms' })}, m.at_ms
  from gone x cross join moment m where x.delay_ms = 0),
to_scheduled as (
  insert into hf.scheduled (${PLACE}, updated_at_ms)
  select ${place('x', { attempts: 'x.attempts - 1', run_at_ms: 'm.at_ms + x.delay_ms' })}, m.at_ms
  from gone x cross join moment m where x.delay_ms > 0),
${counted('gone', {
  leased: '-count(*)',
  ready: 'count(*) filter (where x.delay_ms = 0)',
  scheduled: 'count(*) filter (where x.delay_ms > 0)',
  retrying: 'count(*) filter (where x.delay_ms > 0 and x.attempts > 1)',
})}
select number, token, queue_id, delay_ms as waits_ms from gone`;

/** Leases last from now. No index holds a deadline, so this changes none. */
export const EXTEND = `
with ${MOMENT}
update hf.lease l set lease_ms = g.lease_ms, deadline_ms = m.at_ms + g.lease_ms, extensions = l.extensions + g.times
from unnest($1::int8[], $2::int8[], $3::int8[], $4::int4[]) as g(number, token, lease_ms, times) cross join moment m
where l.number = g.number and l.token = g.token returning l.number, l.token, l.worker`;

/** Where jobs are: for those whose lease was not found, and those that an act did not fit. */
export const LOCATE = `
select p.number, q.name as queue, e.token,
  case when r.number is not null then 'ready' when s.number is not null then 'scheduled'
    when l.number is not null then 'leased' else e.state end as state
from ${PLACED} p join hf.queue q on q.id = p.queue_id left join hf.ready r using (number)
  left join hf.scheduled s using (number) left join hf.lease l using (number) left join hf.ended e using (number)
where p.number = any($1::int8[])`;
