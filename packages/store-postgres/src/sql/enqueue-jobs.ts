import { STEP_MS } from '@holdfast/sql-store';
import { counted, isAsSeen, JOB_FACTS, LISTENED, MOMENT, PLACE, PLACED, place, told } from './parts.js';

const COLUMNS = [
  ['queue_id', 'int4'],
  ['name', 'text'],
  ['priority', 'int8'],
  ['max_attempts', 'int8'],
  ['backoff_base_ms', 'int8'],
  ['backoff_max_ms', 'int8'],
  ['backoff_doubles', 'boolean'],
  ['backoff_jitter', 'text'],
  ['backoff_name', 'text'],
  ['payload_text', 'text'],
  ['payload_bytes', 'bytea'],
  ['payload_size', 'int4'],
  ['delay_ms', 'int8'],
  ['starts_at_ms', 'int8'],
  ['expires_in_ms', 'int8'],
  ['headers', 'text'],
  ['timeout_ms', 'int8'],
  ['dedupe_key', 'text'],
  ['key_for_ms', 'int8'],
] as const;

/** One array each. */
export const ENQUEUE_COLUMNS = COLUMNS.map(([name]) => name);
export type EnqueueColumn = (typeof COLUMNS)[number][0];

/** What each job of a call has of its own even where they are alike. */
export const ONE_BY_ONE: ReadonlySet<EnqueueColumn> = new Set(['payload_text', 'payload_size']);
/** Without any of these, and with no delay, jobs can be alike. */
export const ABSENT_IF_ALIKE: ReadonlySet<EnqueueColumn> = new Set([
  'payload_bytes',
  'delay_ms',
  'starts_at_ms',
  'dedupe_key',
  'key_for_ms',
]);

const JOB_COLUMNS = `queue_id, name, max_attempts, backoff_base_ms, backoff_max_ms, backoff_doubles, backoff_jitter,
  backoff_name, payload_text, payload_bytes, payload_size, headers, timeout_ms, dedupe_key`;
const PARAMETERS = COLUMNS.map(([, type], index) => `$${index + 1}::${type}[]`).join(', ');
/** What all jobs of a call have in common is said once: most of the texts that would be parsed. */
const GIVEN_COLUMNS = COLUMNS.map(([name, type], index) => {
  const array = `$${index + 1}::${type}[]`;
  return `case when cardinality(${array}) = 1 then (${array})[1] else g.${name} end as ${name}`;
}).join(', ');

/** The jobs of a call with their times. A time that has passed means now: a job cannot have waited before it was enqueued. */
const GIVEN = `given as (
  select g.*, m.at_ms,
    case when g.starts_at_ms is null then m.at_ms + g.delay_ms else greatest(g.starts_at_ms, m.at_ms) end as run_at_ms,
    m.at_ms + g.expires_in_ms as expires_at_ms
  from (
    select ord, ${GIVEN_COLUMNS}
    from unnest(${PARAMETERS}) with ordinality as g(${ENQUEUE_COLUMNS.join(', ')}, ord)) g cross join moment m)`;

const TO_PLACES = `
  to_ready as (
    insert into hf.ready (${PLACE}, updated_at_ms, expires_at_ms)
    select ${place('n', { rank_ms: 'n.run_at_ms', attempts: '0', keyed: 'n.dedupe_key is not null' })}, n.at_ms, n.expires_at_ms
    from numbered n where n.run_at_ms <= n.at_ms),
  to_scheduled as (
    insert into hf.scheduled (${PLACE}, updated_at_ms, expires_at_ms)
    select ${place('n', { rank_ms: 'n.run_at_ms', attempts: '0', keyed: 'n.dedupe_key is not null' })}, n.at_ms, n.expires_at_ms
    from numbered n where n.run_at_ms > n.at_ms)`;

const HELD = `
  held as (
    insert into hf.key_holder (number, queue_id, key, until_ms)
    select number, queue_id, dedupe_key, coalesce(at_ms + key_for_ms, 0) from numbered where dedupe_key is not null),
  over as (
    delete from hf.key_window w using numbered n where w.queue_id = n.queue_id and w.key = n.dedupe_key)`;

/** Numbers follow the order of the call, and so does the answer. */
function enqueueText(keyed: boolean): string {
  return `
with ${MOMENT}, ${GIVEN},
numbered as materialized (
  select nextval('hf.job_number') as number, o.* from (select * from given order by ord) o),
stored as (
  insert into hf.job (number, ${JOB_COLUMNS}, enqueued_at_ms)
  select number, ${JOB_COLUMNS}, at_ms from numbered),
${TO_PLACES},
${keyed ? `${HELD},` : ''}
${counted('numbered', {
  total_enqueued: 'count(*)',
  ready: 'count(*) filter (where x.run_at_ms <= x.at_ms)',
  scheduled: 'count(*) filter (where x.run_at_ms > x.at_ms)',
})},
sums as (select queue_id, count(*) as count from numbered group by queue_id),
told as ${told('sums', { kind: "'enqueued'", queue_id: 'x.queue_id', count: 'x.count' }, 'x.queue_id')}
select number, queue_id, run_at_ms - at_ms as waits_ms from numbered order by number`;
}

export const ENQUEUE = enqueueText(false);
export const ENQUEUE_KEYED = enqueueText(true);

/** What jobs that differ in nothing but their texts have in common, and its places among the parameters of `ENQUEUE_ALIKE`. */
const ALIKE = COLUMNS.filter(([name]) => !ONE_BY_ONE.has(name) && !ABSENT_IF_ALIKE.has(name));
export const ALIKE_COLUMNS = ALIKE.map(([name]) => name);
const AT = '(select at_ms from moment)';
const JOB_OWN = ALIKE_COLUMNS.filter((name) => name !== 'priority' && name !== 'expires_in_ms');

/** The parameter that has what all of them have. */
function alike(name: EnqueueColumn): string {
  const place = ALIKE_COLUMNS.indexOf(name);
  return `$${place + 2}::${ALIKE[place]?.[1]}`;
}

const ALIKE_PLACE = {
  ...{ number: 'number', queue_id: alike('queue_id'), name: alike('name'), priority: alike('priority') },
  ...{ rank_ms: AT, attempts: '0', run_at_ms: AT, keyed: 'false' },
};

/**
 * Jobs that can start at once and differ in nothing but their texts, $1: most of what is enqueued in bulk. Only the texts are written and read
 * as an array, nothing is asked of each job, and the answer is one row: the first number, or all where others were given out in between.
 */
export const ENQUEUE_ALIKE = `
with ${MOMENT},
stored as (
  insert into hf.job (number, payload_text, payload_size, ${JOB_OWN.join(', ')}, enqueued_at_ms)
  select nextval('hf.job_number'), text, octet_length(text), ${JOB_OWN.map(alike).join(', ')}, ${AT}
  from unnest($1::text[]) text
  returning number),
to_ready as (
  insert into hf.ready (${PLACE}, updated_at_ms, expires_at_ms)
  select ${place('', ALIKE_PLACE)}, ${AT}, ${AT} + ${alike('expires_in_ms')} from stored),
counted as (
  insert into hf.ledger (queue_id, step, total_enqueued, ready)
  select ${alike('queue_id')}, at_ms / ${STEP_MS}, cardinality($1::text[]), cardinality($1::text[]) from moment),
told as (
  insert into hf.event (at_ms, kind, queue_id, count)
  select at_ms, 'enqueued', ${alike('queue_id')}, cardinality($1::text[]) from moment where ${LISTENED})
select case when max(number) - min(number) = count(*) - 1 then min(number)::text
  else (select array_agg(number order by number)::text from stored) end as numbers from stored`;

const REPLACED = `$${COLUMNS.length + 1}::int8`;
const TO_REPLACE = `number = ${REPLACED} and queue_id = (select queue_id from given)`;

/**
 * A waiting job becomes another one under its number, the last parameter. Nothing is done or answered if it is not waiting any more, or in another
 * queue. Only its own row may be given.
 */
export const REPLACE = `
with ${MOMENT}, ${GIVEN},
from_ready as (delete from hf.ready x where ${TO_REPLACE} and ${isAsSeen('ready')} returning attempts),
from_scheduled as (delete from hf.scheduled x where ${TO_REPLACE} and ${isAsSeen('scheduled')} returning attempts),
gone as (
  select attempts, true as was_ready from from_ready union all select attempts, false from from_scheduled),
numbered as materialized (
  select ${REPLACED} as number, g.*, gone.attempts as had_attempts, gone.was_ready from given g cross join gone),
stored as (
  update hf.job j set (${JOB_COLUMNS}, enqueued_at_ms, cloned_from) =
    (select ${JOB_COLUMNS}, at_ms, null::int8 from numbered)
  from numbered n where j.queue_id = n.queue_id and j.number = n.number),
${TO_PLACES},
holds as (
  update hf.key_holder k set until_ms = coalesce(n.at_ms + n.key_for_ms, 0) from numbered n where k.number = n.number),
over as (
  delete from hf.key_window w using numbered n where w.queue_id = n.queue_id and w.key = n.dedupe_key),
no_attempts as (delete from hf.attempt a using numbered n where a.number = n.number),
no_acts as (delete from hf.act a using numbered n where a.number = n.number),
no_notes as (delete from hf.note t using numbered n where t.number = n.number),
${counted('numbered', {
  ready: 'sum((x.run_at_ms <= x.at_ms)::int - x.was_ready::int)',
  scheduled: 'sum((x.run_at_ms > x.at_ms)::int - (not x.was_ready)::int)',
  retrying: '-sum((not x.was_ready and x.had_attempts > 0)::int)',
})}
select number, queue_id, run_at_ms - at_ms as waits_ms from numbered`;

/** A new job like another one, with another payload if one is given. */
export const CLONE = `
with ${MOMENT},
origin as (
  select j.*, coalesce(r.priority, s.priority, l.priority, e.priority) as priority
  from ${PLACED} p join hf.job j on j.queue_id = p.queue_id and j.number = p.number
  left join hf.ready r on r.number = p.number left join hf.scheduled s on s.number = p.number
  left join hf.lease l on l.number = p.number left join hf.ended e on e.number = p.number where p.number = $1),
numbered as materialized (
  select nextval('hf.job_number') as number, o.queue_id, o.name, o.priority, m.at_ms, o.number as cloned_from
  from origin o cross join moment m),
stored as (
  insert into hf.job (number, queue_id, name, max_attempts, backoff_base_ms, backoff_max_ms, backoff_doubles,
    backoff_jitter, backoff_name, headers, timeout_ms, payload_text, payload_bytes, payload_size, enqueued_at_ms, cloned_from)
  select n.number, o.queue_id, o.name, o.max_attempts, o.backoff_base_ms, o.backoff_max_ms, o.backoff_doubles,
    o.backoff_jitter, o.backoff_name, o.headers, o.timeout_ms, case when $4::int4 is null then o.payload_text else $2 end,
    case when $4::int4 is null then o.payload_bytes else $3::bytea end, coalesce($4::int4, o.payload_size), n.at_ms, o.number
  from origin o cross join numbered n),
placed as (
  insert into hf.ready (${PLACE}, updated_at_ms)
  select ${place('n', { rank_ms: 'n.at_ms', attempts: '0', run_at_ms: 'n.at_ms', keyed: 'false' })}, n.at_ms from numbered n),
noted as (
  insert into hf.act (number, act, at_ms, actor, reason) select number, 'clone', at_ms, $5, $6::text from numbered),
${counted('numbered', { total_enqueued: 'count(*)', ready: 'count(*)' })},
told as ${told('numbered', { kind: "'enqueued'", queue_id: JOB_FACTS.queue_id, count: '1' })}
select number, queue_id from numbered`;
