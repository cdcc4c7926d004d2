import type { NewJobRow, PlacedRow, Statements } from '@holdfast/sql-store';
import { insertNumbered, insertRows } from '../insert-rows.js';
import { sql } from '../sql-text.js';
import { Tally } from '../tally.js';
import { tell } from '../telling.js';
import { type Change, changeOf, type Moment, type Work } from '../work.js';
import {
  cameIn,
  deleteRows,
  deleteWindows,
  insertWaiting,
  lockJobs,
  type WaitingRow,
  type WindowKey,
} from './places.js';
import type { Step } from './step.js';

/** A job with its number and its times. */
interface NumberedRow extends WaitingRow {
  readonly waits_ms: number;
  readonly job: NewJobRow;
}

export const enqueue: Step<'enqueue'> = { scope: 'together', run: (work, [jobs]) => enqueueJobs(work, jobs) };
export const enqueueKeyed: Step<'enqueueKeyed'> = { scope: 'together', run: (work, [jobs]) => enqueueJobs(work, jobs) };

async function enqueueJobs(work: Work, jobs: readonly NewJobRow[]): Promise<PlacedRow[]> {
  const change = await changeOf(work);
  const numbers = await insertNumbered(
    work,
    'hf.job',
    jobs.map((job) => ({ ...jobColumns(job), enqueued_at_ms: change.atMs, cloned_from: null })),
  );
  const rows = jobs.map((job, index) => numbered(job, numbers[index] ?? 0, change));
  await insertWaiting(work, rows, isReady);
  await holdKeys(work, rows, change);
  await tellEnqueued(work, change, rows);
  return rows.map(({ number, queue_id, waits_ms }) => ({ number, queue_id, waits_ms }));
}

/** What of a job stands in `job`; the rest is where it waits. */
function jobColumns(job: NewJobRow) {
  const { priority, delay_ms, starts_at_ms, expires_in_ms, key_for_ms, ...columns } = job;
  return columns;
}

/** A time that has passed means now: a job cannot have waited before it was enqueued. */
function numbered(job: NewJobRow, number: number, change: Change): NumberedRow {
  const { atMs } = change;
  const runAtMs = job.starts_at_ms === null ? atMs + job.delay_ms : Math.max(job.starts_at_ms, atMs);
  return {
    ...cameIn(change),
    number,
    queue_id: job.queue_id,
    name: job.name,
    priority: job.priority,
    rank_ms: runAtMs,
    attempts: 0,
    run_at_ms: runAtMs,
    keyed: job.dedupe_key === null ? 0 : 1,
    expires_at_ms: job.expires_in_ms === null ? null : atMs + job.expires_in_ms,
    waits_ms: runAtMs - atMs,
    job,
  };
}

function isReady(row: WaitingRow): boolean {
  return (row as NumberedRow).waits_ms <= 0;
}

async function holdKeys(work: Work, rows: readonly NumberedRow[], { atMs }: Moment): Promise<void> {
  const holders = rows.flatMap(({ number, queue_id, job: { dedupe_key, key_for_ms } }) =>
    dedupe_key === null
      ? []
      : [{ number, queue_id, dedupe_key, until_ms: key_for_ms === null ? 0 : atMs + key_for_ms }],
  );
  await insertRows(work, 'hf.key_holder', holders);
  await endWindows(work, holders);
}

/** A live job takes the key now. */
function endWindows(work: Work, keys: readonly WindowKey[]): Promise<void> {
  return deleteWindows(
    work,
    keys.map(({ queue_id, dedupe_key }) => sql`(queue_id = ${queue_id} and dedupe_key = ${dedupe_key})`),
  );
}

async function tellEnqueued(work: Work, moment: Moment, rows: readonly NumberedRow[]): Promise<void> {
  const tally = new Tally();
  const sums = new Map<number, number>();
  for (const row of rows) {
    tally.add(row.queue_id, 'total_enqueued');
    tally.add(row.queue_id, isReady(row) ? 'ready' : 'scheduled');
    sums.set(row.queue_id, (sums.get(row.queue_id) ?? 0) + 1);
  }
  await tally.note(work, moment);
  const queues = [...sums].sort(([one], [other]) => one - other);
  await tell(
    work,
    moment,
    queues.map(([queue_id, count]) => ({ kind: 'enqueued', queue_id, count })),
  );
}

export const replace: Step<'replace'> = {
  scope: 'together',
  async run(work, [[job], number]) {
    const change = await changeOf(work);
    const [ready] = await lockJobs<WaitingRow>(work, 'ready', [number]);
    const [scheduled] = ready === undefined ? await lockJobs<WaitingRow>(work, 'scheduled', [number]) : [];
    const was = ready ?? scheduled;
    if (was === undefined || was.queue_id !== job.queue_id) return [];
    const row = numbered(job, number, change);
    await deleteRows(work, ready === undefined ? 'scheduled' : 'ready', [number]);
    await rewriteJob(work, row, change);
    await insertWaiting(work, [row], isReady);
    const tally = new Tally();
    tally.add(job.queue_id, ready === undefined ? 'scheduled' : 'ready', -1);
    if (ready === undefined && was.attempts > 0) tally.add(job.queue_id, 'retrying', -1);
    tally.add(job.queue_id, isReady(row) ? 'ready' : 'scheduled');
    await tally.note(work, change);
    return [{ number, queue_id: job.queue_id, waits_ms: row.waits_ms }];
  },
};

/** Nothing is left of what it was. */
async function rewriteJob(work: Work, { number, job }: NumberedRow, { atMs }: Moment): Promise<void> {
  const j = { ...jobColumns(job), enqueued_at_ms: atMs };
  await work.rows(sql`
    update hf.job set queue_id = ${j.queue_id}, name = ${j.name}, max_attempts = ${j.max_attempts},
      backoff_base_ms = ${j.backoff_base_ms}, backoff_max_ms = ${j.backoff_max_ms}, backoff_doubles = ${j.backoff_doubles},
      backoff_jitter = ${j.backoff_jitter}, backoff_name = ${j.backoff_name}, payload_text = ${j.payload_text},
      payload_bytes = ${j.payload_bytes}, payload_size = ${j.payload_size}, headers = ${j.headers},
      timeout_ms = ${j.timeout_ms}, dedupe_key = ${j.dedupe_key}, enqueued_at_ms = ${j.enqueued_at_ms}, cloned_from = null
    where number = ${number}`);
  const untilMs = job.key_for_ms === null ? 0 : atMs + job.key_for_ms;
  await work.rows(sql`update hf.key_holder set until_ms = ${untilMs} where number = ${number}`);
  if (job.dedupe_key !== null) await endWindows(work, [{ queue_id: job.queue_id, dedupe_key: job.dedupe_key }]);
  for (const table of ['attempt', 'act', 'note'] as const) await deleteRows(work, table, [number]);
}

interface OriginRow extends Omit<NewJobRow, 'delay_ms' | 'starts_at_ms' | 'expires_in_ms' | 'key_for_ms'> {
  readonly number: number;
}

/** A new job like another one, with another payload if one is given. */
export const clone: Step<'clone'> = {
  scope: 'together',
  async run(work, [number, text, bytes, size, actor, reason]: Statements['clone']['values']) {
    const [origin] = await work.rows<OriginRow>(sql`
      select j.*, coalesce(r.priority, s.priority, l.priority, e.priority) as priority
      from hf.job j left join hf.ready r on r.number = j.number left join hf.scheduled s on s.number = j.number
        left join hf.lease l on l.number = j.number left join hf.ended e on e.number = j.number where j.number = ${number}`);
    if (origin === undefined) return [];
    const payload = size === null ? {} : { payload_text: text, payload_bytes: bytes, payload_size: size };
    const { number: cloned_from, ...like } = origin;
    const job = {
      ...like,
      ...payload,
      dedupe_key: null,
      delay_ms: 0,
      starts_at_ms: null,
      expires_in_ms: null,
      key_for_ms: null,
    };
    const change = await changeOf(work);
    const stored = { ...jobColumns(job), enqueued_at_ms: change.atMs, cloned_from };
    const [id = 0] = await insertNumbered(work, 'hf.job', [stored]);
    const row = numbered(job, id, change);
    await insertWaiting(work, [row], isReady);
    await insertRows(work, 'hf.act', [{ number: id, act: 'clone', at_ms: change.atMs, actor, reason }]);
    await tellEnqueued(work, change, [row]);
    return [{ number: id, queue_id: row.queue_id }];
  },
};
