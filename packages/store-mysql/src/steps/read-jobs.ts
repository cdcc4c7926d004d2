import type { JobState } from '@holdfast/contract';
import type {
  ActRow,
  AttemptRow,
  JobPlace,
  RowOfDetail,
  RowOfExpiry,
  RowOfFound,
  RowOfLease,
  RowOfNote,
} from '@holdfast/sql-store';
import { unchangedSince } from '../change-snapshot.js';
import { joined, SqlText, sql } from '../sql-text.js';
import type { Surroundings, Work } from '../work.js';
import { NOTE_COLUMNS } from './note-attempts.js';
import type { Step } from './step.js';

type Alias = 'r' | 's' | 'l' | 'e';

/** Where the jobs of a state are. */
const PLACES: Readonly<Record<JobState, { readonly table: string; readonly alias: Alias }>> = {
  scheduled: { table: 'scheduled', alias: 's' },
  ready: { table: 'ready', alias: 'r' },
  leased: { table: 'lease', alias: 'l' },
  completed: { table: 'ended', alias: 'e' },
  dead: { table: 'ended', alias: 'e' },
  cancelled: { table: 'ended', alias: 'e' },
};

/** Columns of a job by the place where they are. */
const OF_PLACE: Readonly<Record<'expires_at_ms' | 'updated_at_ms', Readonly<Partial<Record<Alias, string>>>>> = {
  updated_at_ms: { r: 'r.updated_at_ms', s: 's.updated_at_ms', l: 'l.leased_at_ms', e: 'e.ended_at_ms' },
  expires_at_ms: { r: 'r.expires_at_ms', s: 's.expires_at_ms' },
};
const IN_ALL = ['priority', 'attempts', 'run_at_ms'] as const;
const OF_LEASE = ['token', 'worker', 'leased_at_ms', 'lease_ms'] as const;
const ALL: readonly Alias[] = ['r', 's', 'l', 'e'];
/** The change that put a job where it is. */
const CHANGED_IN = `coalesce(${ALL.map((alias) => `${alias}.changed_in`).join(', ')})`;

/**
 * The tables that are looked at: those of one state, or all. Of all, each index is named: where a table is empty, or was when the server counted its rows, it would
 * read that as a whole, and then all jobs before it sorts them.
 */
function joins({ state, queueId }: JobPlace): SqlText {
  if (state !== undefined) {
    const { table, alias } = PLACES[state];
    return new SqlText(
      `hf.${table} ${alias} join hf.job j on j.number = ${alias}.number join hf.queue q on q.id = j.queue_id`,
    );
  }
  const order = new SqlText(queueId === undefined ? 'primary' : 'job_of_queue');
  return sql`hf.job j force index (${order}) join hf.queue q force index (primary) on q.id = j.queue_id
    left join hf.ready r force index (ready_number) on r.number = j.number
    left join hf.scheduled s force index (primary) on s.number = j.number
    left join hf.lease l force index (lease_number) on l.number = j.number
    left join hf.ended e force index (ended_number) on e.number = j.number`;
}

function rowColumns({ now }: Surroundings, state: JobState | undefined): SqlText {
  const places = state === undefined ? ALL : [PLACES[state].alias];
  const first = (columns: readonly string[]) => (columns.length === 0 ? 'null' : `coalesce(${columns.join(', ')})`);
  const common = IN_ALL.map((column) => `${first(places.map((place) => `${place}.${column}`))} as ${column}`);
  const others = (['updated_at_ms', 'expires_at_ms'] as const).map(
    (column) => `${first(places.flatMap((place) => OF_PLACE[column][place] ?? []))} as ${column}`,
  );
  const isLeased = places.includes('l');
  const lease = OF_LEASE.map((column) => (isLeased ? `l.${column}` : `null as ${column}`));
  const error = (column: string) => errorText(column, places);
  const texts = [...common, ...others, ...lease, error('error_class'), error('error_message')];
  const remaining = isLeased ? sql`l.deadline_ms - ${now} as remaining_ms` : sql`null as remaining_ms`;
  return sql`j.number, q.name as queue, j.name, j.max_attempts, j.enqueued_at_ms, j.payload_size,
    ${stateText(state)} as state, ${new SqlText(texts.join(', '))}, ${remaining}`;
}

function stateText(state: JobState | undefined): SqlText {
  if (state !== undefined) return sql`${state}`;
  return sql`case when r.number is not null then 'ready' when s.number is not null then 'scheduled'
    when l.number is not null then 'leased' else e.state end`;
}

/** Of the last attempt that failed, where it tells why the job is where it is. A subquery for each: MariaDB knows no lateral join. */
function errorText(column: string, places: readonly Alias[]): string {
  const reasons = [
    ...(places.includes('e') ? ["e.state = 'dead'"] : []),
    ...(places.includes('s') ? ['s.attempts > 0'] : []),
  ];
  if (reasons.length === 0) return `null as ${column}`;
  return `(select a.${column} from hf.attempt a
    where a.number = j.number and a.error_class is not null and (${reasons.join(' or ')})
    order by a.token desc limit 1) as ${column}`;
}

/** Queues of Holdfast's own are listed only by name. */
function wanted({ state, queueId, name, errorFingerprint, since }: JobPlace): SqlText {
  const at = state === undefined ? 'j' : PLACES[state].alias;
  const column = (of: string) => new SqlText(`${at}.${of}`);
  return joined(
    [
      queueId === undefined
        ? sql`${column('queue_id')} not in (select id from hf.queue where name like 'holdfast.%')`
        : sql`${column('queue_id')} = ${queueId}`,
      ...(at === 'e' && state !== undefined ? [sql`e.state = ${state}`] : []),
      ...(name === undefined ? [] : [sql`${column('name')} = ${name}`]),
      ...(since === undefined ? [] : [unchangedSince(at === 'j' ? CHANGED_IN : `${at}.changed_in`, since)]),
      ...(errorFingerprint === undefined
        ? []
        : [sql`${column('number')} in (select number from hf.death where kind = ${errorFingerprint})`]),
    ],
    ' and ',
  );
}

/** A state is looked for where its jobs are, so that a page of few among many is quick: the first table is read first. */
export const page: Step<'page'> = {
  scope: 'separately',
  run(work, [place, below, limit, withPayload]) {
    const number = new SqlText(`${place.state === undefined ? 'j' : PLACES[place.state].alias}.number`);
    const from = below === null ? sql`` : sql`and ${number} < ${below}`;
    const payload = withPayload ? sql`, j.payload_text` : sql``;
    return work.rows<RowOfFound>(sql`
      select straight_join ${rowColumns(work, place.state)}${payload} from ${joins(place)}
      where ${wanted(place)} ${from} order by ${number} desc limit ${new SqlText(String(limit))}`);
  },
};

export const count: Step<'count'> = {
  scope: 'separately',
  run(work, [place, limit]) {
    const from = place.state === undefined ? 'job j' : `${PLACES[place.state].table} ${PLACES[place.state].alias}`;
    return work.rows<{ count: number }>(sql`
      select count(*) as count from (
        select 1 from ${new SqlText(`hf.${from}`)} where ${wanted(place)} limit ${new SqlText(String(limit))}) x`);
  },
};

export const countByQueue: Step<'countByQueue'> = {
  scope: 'separately',
  run(work, [place]) {
    const { table, alias } = PLACES[place.state];
    const from = new SqlText(`hf.${table} ${alias} join hf.queue q on q.id = ${alias}.queue_id`);
    return work.rows<{ queue: string; count: number }>(sql`
      select q.name as queue, count(*) as count from ${from} where ${wanted(place)} group by q.name`);
  },
};

export const numbers: Step<'numbers'> = {
  scope: 'separately',
  run(work, [place]) {
    const { table, alias } = PLACES[place.state];
    const from = new SqlText(`${alias}.number from hf.${table} ${alias}`);
    return work.rows<{ number: number }>(sql`
      select ${from} where ${wanted(place)} order by ${new SqlText(`${alias}.number`)}`);
  },
};

type DetailRow = Omit<RowOfDetail, 'attempt_log' | 'notes' | 'acts'>;

/** One job with everything. */
export const detail: Step<'detail'> = {
  scope: 'asOfOneMoment',
  async run(work, [number]) {
    const [row] = await work.rows<DetailRow>(sql`
      select ${rowColumns(work, undefined)}, j.payload_text, j.payload_bytes, j.headers, j.timeout_ms, j.dedupe_key, j.cloned_from,
        e.result_text, e.result_bytes, e.cancel_cause, e.token as acked_token, e.worker as acked_worker,
        e.leased_at_ms as acked_leased_at_ms
      from ${joins({})} where j.number = ${number}`);
    if (row === undefined) return [];
    return [{ ...row, ...(await historyOf(work, number)) }];
  },
};

async function historyOf(work: Work, number: number): Promise<Pick<RowOfDetail, 'attempt_log' | 'notes' | 'acts'>> {
  return {
    attempt_log: await work.rows<AttemptRow>(sql`select * from hf.attempt where number = ${number} order by token`),
    notes: await work.rows<RowOfNote>(sql`select ${NOTE_COLUMNS} from hf.note where number = ${number} order by token`),
    acts: await work.rows<ActRow>(sql`
      select a.*, f.name as from_queue, t.name as to_queue from hf.act a
        left join hf.queue f on f.id = a.from_queue_id left join hf.queue t on t.id = a.to_queue_id
      where a.number = ${number} order by a.id`),
  };
}

export const leases: Step<'leases'> = {
  scope: 'separately',
  run(work, [limit]) {
    return work.rows<RowOfLease>(sql`
      select l.number, q.name as queue, l.name, l.worker, l.attempts, j.max_attempts, l.token, l.leased_at_ms, l.lease_ms,
        l.deadline_ms - ${work.now} as remaining_ms, l.extensions, n.progress
      from hf.lease l join hf.job j on j.number = l.number join hf.queue q on q.id = l.queue_id
        left join hf.note n on n.number = l.number and n.token = l.token
      order by l.deadline_ms, l.token limit ${new SqlText(String(limit))}`);
  },
};

/** Not those of before, and the last so many. */
export const leaseExpiries: Step<'leaseExpiries'> = {
  scope: 'separately',
  run(work, [after, limit]) {
    return work.rows<RowOfExpiry>(sql`
      select x.number, q.name as queue, x.name, x.worker, x.attempt, x.at_ms, x.late_ms, x.then_state
      from hf.lease_expiry x join hf.queue q on q.id = x.queue_id
      where x.id > ${after} order by x.id desc limit ${new SqlText(String(limit))}`);
  },
};
