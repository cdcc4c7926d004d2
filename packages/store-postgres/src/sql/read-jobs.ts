import type { JobState } from '@holdfast/contract';
import type { JobPlace } from '@holdfast/sql-store';
import { MOMENT, PLACED, unchangedSince } from './parts.js';

/** Where the jobs of a state are, and what that table is called in every statement below. */
const PLACES: Readonly<Record<JobState, { readonly table: string; readonly alias: string }>> = {
  scheduled: { table: 'scheduled', alias: 's' },
  ready: { table: 'ready', alias: 'r' },
  leased: { table: 'lease', alias: 'l' },
  completed: { table: 'ended', alias: 'e' },
  dead: { table: 'ended', alias: 'e' },
  cancelled: { table: 'ended', alias: 'e' },
};

const JOINS = `
join hf.queue q on q.id = j.queue_id
  left join hf.ready r on r.number = j.number left join hf.scheduled s on s.number = j.number
  left join hf.lease l on l.number = j.number left join hf.ended e on e.number = j.number`;

/** Of jobs whose numbers and queues are in `p`. */
const JOBS_OF = `join hf.job j on j.queue_id = p.queue_id and j.number = p.number ${JOINS}`;

/** The same, each looked up by its key, whatever a planner has heard of the tables: it would go through all of one that it takes for small. */
const EACH_OF = `
  cross join lateral (select * from hf.job o where o.queue_id = p.queue_id and o.number = p.number offset 0) j
  cross join lateral (select name from hf.queue o where o.id = p.queue_id offset 0) q
  ${[
    ['ready', 'r'],
    ['scheduled', 's'],
    ['lease', 'l'],
    ['ended', 'e'],
  ]
    .map(
      ([table, alias]) =>
        `left join lateral (select * from hf.${table} o where o.number = p.number offset 0) ${alias} on true`,
    )
    .join(' ')}`;

const LAST_ERROR = `
  left join lateral (
    select a.error_class, a.error_message from hf.attempt a
    where a.number = j.number and a.error_class is not null and (e.state = 'dead' or s.attempts > 0)
    order by a.token desc limit 1) f on true`;

/** The transaction that put a job where it is. */
const CHANGED_IN = 'coalesce(r.changed_in, s.changed_in, l.changed_in, e.changed_in)';

const ROW = `
  j.number, j.queue_id, q.name as queue, j.name, j.max_attempts, j.enqueued_at_ms, j.payload_size,
  case when r.number is not null then 'ready' when s.number is not null then 'scheduled'
    when l.number is not null then 'leased' else e.state end as state,
  coalesce(r.priority, s.priority, l.priority, e.priority) as priority,
  coalesce(r.attempts, s.attempts, l.attempts, e.attempts) as attempts,
  coalesce(r.run_at_ms, s.run_at_ms, l.run_at_ms, e.run_at_ms) as run_at_ms,
  coalesce(r.updated_at_ms, s.updated_at_ms, l.leased_at_ms, e.ended_at_ms) as updated_at_ms,
  coalesce(r.expires_at_ms, s.expires_at_ms) as expires_at_ms,
  l.token, l.worker, l.leased_at_ms, l.lease_ms, l.deadline_ms - m.at_ms as remaining_ms, f.error_class, f.error_message`;

/** One job ($1) with everything. */
export const DETAIL = `
with ${MOMENT}
select ${ROW}, j.payload_text, j.payload_bytes, j.headers, j.timeout_ms, j.dedupe_key, j.cloned_from,
  e.result_text, e.result_bytes, e.cancel_cause, e.token as acked_token, e.worker as acked_worker,
  e.leased_at_ms as acked_leased_at_ms,
  (select json_agg(a order by a.token) from hf.attempt a where a.number = j.number) as attempt_log,
  (select json_agg(n order by n.token) from hf.note n where n.number = j.number) as notes,
  (select json_agg(t order by t.id) from (
    select a.*, f.name as from_queue, o.name as to_queue from hf.act a
    left join hf.queue f on f.id = a.from_queue_id left join hf.queue o on o.id = a.to_queue_id
    where a.number = j.number) t) as acts
from ${PLACED} p ${JOBS_OF} ${LAST_ERROR} cross join moment m where p.number = $1`;

/** A text with the values of its parameters. */
interface PlaceText {
  readonly text: string;
  readonly values: unknown[];
}

interface PageBounds {
  readonly below: number | null;
  readonly limit: number;
  readonly withPayload: boolean;
}

/** Jobs of a queue in a state are few up to this number: then they are sorted. */
const FEW = 2000;

/**
 * Newest first, below a number. A state is looked for where its jobs are, so that a page of few among many is quick, and everything else is read of the
 * jobs of the page alone. Number and limit stand in the text: for any number and any limit the planner would rather sort all that match.
 */
export function pageText(place: JobPlace, bounds: PageBounds): PlaceText {
  const { where, values } = wanted(place);
  const isDivided = place.queueId !== undefined && stateOf(place) !== undefined;
  const numbers = isDivided ? dividedNumbers(place, where, bounds) : numbersBelow(place, where, bounds);
  const text = `
with ${MOMENT},
${numbers}
select ${ROW}${bounds.withPayload ? ', j.payload_text' : ''} from p ${EACH_OF} ${LAST_ERROR} cross join moment m order by p.number desc`;
  return { text, values };
}

function numbersBelow(place: JobPlace, where: string, { below, limit }: PageBounds): string {
  const { alias, from } = source(place);
  const isBelow = below === null ? '' : ` and ${alias}.number < ${below}`;
  return `
p as materialized (
  select ${alias}.number, ${alias}.queue_id ${from} where ${where}${isBelow} order by ${alias}.number desc limit ${limit})`;
}

/**
 * No index has the jobs of one queue in one state by number. Few of them are found by the index of their queue, and sorted; many by number, from which most
 * others need not be passed. How many there are is counted here, because a planner would choose by what it has heard of the table, perhaps when that was
 * empty. So neither branch leaves it a choice: where one goes by number, the queue is no column that an index could find.
 */
function dividedNumbers(place: JobPlace, where: string, { below, limit }: PageBounds): string {
  const { alias, from } = source(place);
  const ordered = `order by number desc limit ${limit}`;
  const isBelow = below === null ? 'true' : `number < ${below}`;
  const columns = `${alias}.number, ${alias}.queue_id`;
  return `
few as materialized (select ${columns} ${from} where ${where} limit ${FEW + 1}),
are_few as materialized (select count(*) <= ${FEW} as yes from few),
p as materialized (
  select * from (
    (select * from few where (select yes from are_few) and ${isBelow} ${ordered})
    union all
    (select ${columns} ${from} where not (select yes from are_few) and ${where.replace(`${alias}.queue_id =`, `${alias}.queue_id + 0 =`)}
      and ${alias}.${isBelow === 'true' ? 'number is not null' : isBelow} order by ${alias}.number desc limit ${limit})) x ${ordered})`;
}

/** How many match, counted no further than a limit. */
export function countText(place: JobPlace, limit: number): PlaceText {
  const { where, values } = wanted(place);
  return {
    text: `select count(*) as count from (select 1 ${source(place).from} where ${where} limit ${limit}) x`,
    values,
  };
}

export function countByQueueText(place: JobInState): PlaceText {
  const { where, values } = wanted(place);
  const { alias, from } = source(place);
  const text = `select q.name as queue, count(*) as count ${from} join hf.queue q on q.id = ${alias}.queue_id where ${where} group by q.name`;
  return { text, values };
}

/** In order of enqueue. */
export function numbersText(place: JobInState): PlaceText {
  const { where, values } = wanted(place);
  const { alias, from } = source(place);
  return { text: `select ${alias}.number ${from} where ${where} order by ${alias}.number`, values };
}

type JobInState = JobPlace & { readonly state: JobState };

/** Where jobs of a place are looked for: where only they can be. What the jobs of a queue are joined with is left out where nothing is asked of it. */
function source(place: JobPlace): { readonly alias: string; readonly from: string } {
  const state = stateOf(place);
  if (state !== undefined) {
    const { table, alias } = PLACES[state];
    return { alias, from: `from hf.${table} ${alias}` };
  }
  return place.queueId === undefined
    ? { alias: 'p', from: `from ${PLACED} p` }
    : { alias: 'j', from: `from hf.job j ${JOINS}` };
}

/** Only dead jobs have a kind of error. */
function stateOf({ state, errorFingerprint }: JobPlace): JobState | undefined {
  return errorFingerprint === undefined ? state : (state ?? 'dead');
}

function wanted(place: JobPlace) {
  const { queueId, name, errorFingerprint, since } = place;
  const state = stateOf(place);
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (value: unknown) => `$${values.push(value)}`;
  const { alias: at } = source(place);
  // Not as a parameter: the plan for any state could use no index of a few of them.
  if (at === 'e') conditions.push(`e.state = '${state}'`);
  if (errorFingerprint !== undefined)
    conditions.push(state === 'dead' ? `e.error_kind = ${add(errorFingerprint)}` : 'false');
  if (since !== undefined) conditions.push(unchangedSince(add(since), at === 'j' ? CHANGED_IN : `${at}.changed_in`));
  // Queues of Holdfast's own are listed only by name. They are looked up before: a join would let the planner sort all jobs of each queue.
  if (queueId === undefined)
    conditions.push(`${at}.queue_id <> all(array(select id from hf.queue where name like 'holdfast.%'))`);
  else conditions.push(`${at}.queue_id = ${add(queueId)}::int4`);
  if (name !== undefined) conditions.push(`${at}.name = ${add(name)}`);
  return { where: conditions.join(' and '), values };
}

export const LEASES = `
with ${MOMENT}
select l.number, q.name as queue, l.name, l.worker, l.attempts, j.max_attempts, l.token, l.leased_at_ms, l.lease_ms,
  l.deadline_ms - m.at_ms as remaining_ms, l.extensions, n.progress
from hf.lease l join hf.job j using (queue_id, number) join hf.queue q on q.id = l.queue_id
  left join hf.note n on n.number = l.number and n.token = l.token cross join moment m
order by l.deadline_ms, l.token limit $1`;

/** $1: not those of before, $2 the last so many. */
export const LEASE_EXPIRIES = `
select x.number, q.name as queue, x.name, x.worker, x.attempt, x.at_ms, x.late_ms, x.then_state
from hf.lease_expiry x join hf.queue q on q.id = x.queue_id where x.id > $1 order by x.id desc limit $2`;
