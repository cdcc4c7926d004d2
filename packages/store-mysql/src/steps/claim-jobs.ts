import type { ClaimRow } from '@holdfast/sql-store';
import { insertNumbered } from '../insert-rows.js';
import { SqlText, sql } from '../sql-text.js';
import { Tally } from '../tally.js';
import { beginChange, CHANGED_IN, type Change, changeIn, momentColumns, type RowOfChange, type Work } from '../work.js';
import { deleteRows, placeOf, slices, type WaitingRow } from './places.js';
import type { Step } from './step.js';

type Values = Parameters<Step<'claim'>['run']>[1];

interface OpenQueueRow extends RowOfChange {
  readonly id: number;
}

/**
 * Queues that have something to claim. An idle claim asks no more than this. Not with `exists`: for that MariaDB would first collect all jobs of the queues, a
 * second for a million.
 */
function openQueues(work: Work, [queueIds, names]: Values): Promise<readonly OpenQueueRow[]> {
  return work.rows<OpenQueueRow>(sql`
    select q.id, ${momentColumns(work)}, ${CHANGED_IN} from hf.queue q
    where q.id in (${queueIds}) and (q.paused_since_ms is null or q.paused_until_ms <= ${work.now})
      and (select 1 from hf.ready r force index (primary) where r.queue_id = q.id and ${wanted(names, work.now)} limit 1) is not null`);
}

function wanted(names: Values[1], now: SqlText): SqlText {
  const isNamed = names === null ? sql`true` : sql`r.name in (${names})`;
  return sql`${isNamed} and (r.expires_at_ms is null or r.expires_at_ms > ${now})`;
}

/**
 * Leases ready jobs. The order of a claim is that of the primary key, so that no more rows are read, and so locked, than are taken: where the server has to
 * sort, it locks every job of the queue first.
 */
export const claim: Step<'claim'> = {
  scope: 'together',
  isWorth: async (work, values) => (await openQueues(work, values)).length > 0,
  async run(work, values) {
    const [, , limit, leaseMs, worker] = values;
    await beginChange(work);
    const queues = await openQueues(work, values);
    const [first] = queues;
    if (first === undefined) return [];
    const picked: WaitingRow[] = [];
    for (const { id } of queues) picked.push(...(await pick(work, id, values)));
    const taken = picked.sort(inOrder).slice(0, limit);
    return taken.length === 0 ? [] : lease(work, changeIn(first), taken, leaseMs, worker);
  },
};

/** What another claim is taking at this moment is skipped. */
function pick(work: Work, queueId: number, [, names, limit]: Values): Promise<readonly WaitingRow[]> {
  // A limit cannot be bound everywhere; it was checked to be a whole number.
  const most = new SqlText(String(limit));
  return work.rows<WaitingRow>(sql`
    select r.* from hf.ready r force index (primary) where r.queue_id = ${queueId} and ${wanted(names, work.now)}
    order by r.priority, r.rank_ms, r.number limit ${most} for update skip locked`);
}

function inOrder(one: WaitingRow, other: WaitingRow): number {
  return one.priority - other.priority || one.rank_ms - other.rank_ms || one.number - other.number;
}

async function lease(
  work: Work,
  change: Change,
  jobs: readonly WaitingRow[],
  leaseMs: number,
  worker: string,
): Promise<ClaimRow[]> {
  const leases = jobs.map((job) => ({
    ...placeOf(job),
    changed_in: change.changedIn,
    attempts: job.attempts + 1,
    worker,
    leased_at_ms: change.atMs,
    lease_ms: leaseMs,
    deadline_ms: change.atMs + leaseMs,
  }));
  const tokens = await insertNumbered(work, 'hf.lease', leases);
  const numbers = jobs.map(({ number }) => number);
  await deleteRows(work, 'ready', numbers);
  const tally = new Tally();
  for (const { queue_id } of jobs) {
    tally.add(queue_id, 'total_claimed');
    tally.add(queue_id, 'ready', -1);
    tally.add(queue_id, 'leased');
  }
  await tally.note(work, change);
  const stored = await storedJobs(work, numbers);
  return leases.flatMap(({ number, queue_id, priority, attempts }, index) => {
    const job = stored.get(number);
    return job === undefined ? [] : [{ ...job, number, queue_id, priority, attempts, token: tokens[index] ?? 0 }];
  });
}

type StoredRow = Omit<ClaimRow, 'queue_id' | 'priority' | 'attempts' | 'token'>;

async function storedJobs(work: Work, numbers: readonly number[]): Promise<ReadonlyMap<number, StoredRow>> {
  const jobs = new Map<number, StoredRow>();
  for (const slice of slices(numbers)) {
    const rows = await work.rows<StoredRow>(sql`
      select number, name, max_attempts, payload_text, payload_bytes, headers, timeout_ms, enqueued_at_ms, backoff_name
      from hf.job force index (primary) where number in (${slice})`);
    for (const row of rows) jobs.set(row.number, row);
  }
  return jobs;
}
