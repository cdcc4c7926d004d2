import { STEP_ROWS } from '@holdfast/sql-store';
import { counted, freed, isAsSeen, JOB_FACTS, MOMENT, PLACE, place, told, unchangedSince, undied } from './parts.js';

/**
 * $1 jobs, $2 the snapshot of a plan or null, $3 actor, $4 reason or null. Each does what it can in one step to those that have not
 * changed since the plan, and answers the jobs that it changed.
 */
function noted(act: string, from: string, priority = 'null'): string {
  return `noted as (
    insert into hf.act (number, act, at_ms, actor, reason, priority)
    select x.number, '${act}', m.at_ms, $3, $4::text, ${priority}::int8 from ${from} x cross join moment m)`;
}

const CHOSEN = `number = any($1::int8[]) and ${unchangedSince('$2')}`;

/** A planner that knows nothing of the table yet would look for a state by the order of ends, through all of them: jobs are found by their numbers. */
function isIn(state: string): string {
  return `(state = ${state}) is true`;
}

/** Jobs that are gone from where they waited or were leased, as cancelled ones. */
function cancelled(cause: string): string {
  return `
gone as materialized (
  select x.*, row_number() over (order by first, x.number) as ord from (
    select ${place('r')}, 'ready' as was, null::int8 as token, null::text as worker, null::int8 as leased_at_ms, first from from_ready r
    union all select ${place('s')}, 'scheduled', null, null, null, first from from_scheduled s
    union all select ${place('l')}, 'leased', token, worker, leased_at_ms, first from from_lease l) x),
history as (
  insert into hf.attempt (number, token, attempt, worker, started_at_ms, ended_at_ms, outcome)
  select x.number, x.token, x.attempts, x.worker, x.leased_at_ms, m.at_ms, 'cancelled'
  from gone x cross join moment m where x.was = 'leased'),
done as (
  insert into hf.ended (number, queue_id, name, priority, attempts, run_at_ms, state, ended_at_ms, end_number, cancel_cause)
  select x.number, x.queue_id, x.name, x.priority, x.attempts, x.run_at_ms, 'cancelled', m.at_ms, nextval('hf.end_number'), '${cause}'
  from (select * from gone order by ord) x cross join moment m),
${freed('gone')},
${counted('gone', {
  ready: "-count(*) filter (where x.was = 'ready')",
  scheduled: "-count(*) filter (where x.was = 'scheduled')",
  retrying: "-count(*) filter (where x.was = 'scheduled' and x.attempts > 0)",
  leased: "-count(*) filter (where x.was = 'leased')",
  cancelled: 'count(*)',
})},
told as ${told('gone', { kind: "'cancelled'", ...JOB_FACTS }, 'x.ord')}`;
}

export const CANCEL = `
with ${MOMENT},
from_ready as (delete from hf.ready where ${CHOSEN} returning *, array_position($1::int8[], number) as first),
from_scheduled as (delete from hf.scheduled where ${CHOSEN} returning *, array_position($1::int8[], number) as first),
from_lease as (delete from hf.lease where ${CHOSEN} returning *, array_position($1::int8[], number) as first),
${cancelled('operator')},
${noted('cancel', 'gone')}
select number, queue_id, token from gone`;

/** Jobs that nobody started in time; a step of each place. Those that should have been started first are first. */
export const EXPIRE_JOBS = `
with ${MOMENT},
late_ready as (
  select r.number from hf.ready r cross join moment m where r.expires_at_ms <= m.at_ms
  order by r.expires_at_ms, r.number limit ${STEP_ROWS} for update of r skip locked),
late_scheduled as (
  select s.number from hf.scheduled s cross join moment m where s.expires_at_ms <= m.at_ms
  order by s.expires_at_ms, s.number limit ${STEP_ROWS} for update of s skip locked),
from_ready as (
  delete from hf.ready where number = any(array(select number from late_ready)) returning *, expires_at_ms as first),
from_scheduled as (
  delete from hf.scheduled where number = any(array(select number from late_scheduled))
  returning *, expires_at_ms as first),
from_lease as (select *, 0::int8 as first from hf.lease where false),
${cancelled('expired')}
select number, queue_id from gone`;

export const REDRIVE = `
with ${MOMENT},
gone as (delete from hf.ended where ${CHOSEN} and ${isIn("'dead'")} returning *),
placed as (
  insert into hf.ready (${PLACE}, updated_at_ms)
  select ${place('x', { rank_ms: 'm.at_ms', attempts: '0', run_at_ms: 'm.at_ms', keyed: 'false' })}, m.at_ms
  from gone x cross join moment m),
${noted('redrive', 'gone')},
${undied('gone')},
${counted('gone', { dead: '-count(*)', ready: 'count(*)' })},
told as ${told('gone', { kind: "'redriven'", ...JOB_FACTS })}
select number, queue_id from gone`;

/** A job that would have ranked later by its time ranks as if it were enqueued now. */
export const RUN_NOW = `
with ${MOMENT},
gone as (delete from hf.scheduled where ${CHOSEN} returning *),
placed as (
  insert into hf.ready (${PLACE}, updated_at_ms, expires_at_ms)
  select ${place('x', { rank_ms: 'least(x.rank_ms, m.at_ms)', run_at_ms: 'm.at_ms' })}, m.at_ms, x.expires_at_ms
  from gone x cross join moment m),
${noted('runNow', 'gone')},
${counted('gone', {
  scheduled: '-count(*)',
  retrying: '-count(*) filter (where x.attempts > 0)',
  ready: 'count(*)',
})}
select number, queue_id from gone`;

/** $5 is the new priority. */
export const REPRIORITISE = `
with ${MOMENT},
from_ready as (
  update hf.ready set priority = $5::int8 where ${CHOSEN} returning number, queue_id),
from_scheduled as (
  update hf.scheduled set priority = $5::int8 where ${CHOSEN} returning number, queue_id),
gone as (select * from from_ready union all select * from from_scheduled),
${noted('reprioritise', 'gone', '$5')}
select number, queue_id from gone`;

const WAITING = {
  ready: "count(*) filter (where x.was = 'ready')",
  scheduled: "count(*) filter (where x.was = 'scheduled')",
  retrying: "count(*) filter (where x.was = 'scheduled' and x.attempts > 0)",
};
const TAKEN = { ready: `-${WAITING.ready}`, scheduled: `-${WAITING.scheduled}`, retrying: `-${WAITING.retrying}` };

/** $5 is the queue to which they go. Those that are there already are left alone. */
export const TRANSFER = `
with ${MOMENT},
from_ready as materialized (
  select number, queue_id, name, attempts, keyed, 'ready' as was from hf.ready x
  where ${CHOSEN} and queue_id <> $5::int4 and $5::int4 > 0 and ${isAsSeen('ready')} for update),
from_scheduled as materialized (
  select number, queue_id, name, attempts, keyed, 'scheduled' as was from hf.scheduled x
  where ${CHOSEN} and queue_id <> $5::int4 and $5::int4 > 0 and ${isAsSeen('scheduled')} for update),
gone as materialized (select * from from_ready union all select * from from_scheduled),
came as materialized (select number, $5::int4 as queue_id, attempts, was from gone),
in_ready as (update hf.ready r set queue_id = $5::int4, keyed = false, changed_in = default from gone x where r.number = x.number),
in_scheduled as (update hf.scheduled s set queue_id = $5::int4, keyed = false, changed_in = default from gone x where s.number = x.number),
in_job as (update hf.job j set queue_id = $5::int4 from gone x where j.queue_id = x.queue_id and j.number = x.number),
noted as (
  insert into hf.act (number, act, at_ms, actor, reason, from_queue_id, to_queue_id)
  select x.number, 'transfer', m.at_ms, $3, $4::text, x.queue_id, $5::int4 from gone x cross join moment m),
${freed('gone')},
${counted('gone', TAKEN)},
came_${counted('came', WAITING)}
select number, queue_id from came`;

/** Everything that is known of jobs, but for the keys. The window of a key ends with the job that it names. */
const FORGOTTEN = `
jobs as (delete from hf.job j using gone x where j.queue_id = x.queue_id and j.number = x.number),
attempts as (delete from hf.attempt where number = any(array(select number from gone))),
acts as (delete from hf.act where number = any(array(select number from gone))),
notes as (delete from hf.note where number = any(array(select number from gone)))`;

/** All but leased ones. Who did it is kept nowhere. */
export const REMOVE = `
with ${MOMENT},
from_ready as (
  delete from hf.ready x where ${CHOSEN} and ${isAsSeen('ready')} returning number, queue_id, name, attempts, keyed),
from_scheduled as (
  delete from hf.scheduled x where ${CHOSEN} and ${isAsSeen('scheduled')} returning number, queue_id, name, attempts, keyed),
from_ended as (delete from hf.ended where ${CHOSEN} returning number, queue_id, name, attempts, state, error_kind),
gone as materialized (
  select *, 'ready' as was, null as error_kind from from_ready union all select *, 'scheduled', null from from_scheduled
  union all select number, queue_id, name, attempts, false, state, error_kind from from_ended),
${FORGOTTEN},
${freed('gone')},
windows as (
  delete from hf.key_window w using gone x join hf.job j on j.queue_id = x.queue_id and j.number = x.number
  where w.queue_id = x.queue_id and w.key = j.dedupe_key and w.number = x.number),
${undied('gone')},
${counted('gone', {
  ready: "-count(*) filter (where x.was = 'ready')",
  scheduled: "-count(*) filter (where x.was = 'scheduled')",
  retrying: "-count(*) filter (where x.was = 'scheduled' and x.attempts > 0)",
  completed: "-count(*) filter (where x.was = 'completed')",
  dead: "-count(*) filter (where x.was = 'dead')",
  cancelled: "-count(*) filter (where x.was = 'cancelled')",
})},
told as ${told('gone', { kind: "'removed'", ...JOB_FACTS })}
select number, queue_id from gone`;

/** By retention: jobs that came to this end ($2) and were not redriven meanwhile. */
export const FORGET = `
with ${MOMENT},
gone as (
  delete from hf.ended where number = any($1::int8[]) and ${isIn('$2')} returning number, queue_id, name, state, error_kind),
${FORGOTTEN},
${undied('gone')},
${counted('gone', {
  completed: "-count(*) filter (where x.state = 'completed')",
  dead: "-count(*) filter (where x.state = 'dead')",
  cancelled: "-count(*) filter (where x.state = 'cancelled')",
})}
select count(*) as count from gone`;
