import { JOB_STATES } from '@holdfast/contract';
import { type ShownRow, snapshotText } from '../change-snapshot.js';
import { SqlText, sql } from '../sql-text.js';
import type { Work } from '../work.js';
import { BY_ID, deleteRows } from './places.js';
import { COUNTED, type CountedRow, sums } from './read-queues.js';
import type { Step } from './step.js';

export const snapshot: Step<'snapshot'> = {
  scope: 'separately',
  run: async (work) => [{ snapshot: await snapshotOf(work) }],
};

/** In one statement, and so of one moment. */
async function snapshotOf(work: Work): Promise<string> {
  const rows = await work.rows<ShownRow>(sql`
    select below as id, still_open, 1 as is_bound, @@auto_increment_increment as step from hf.settled_changes
    union all select id, null, 0, 0 from hf.job_change`);
  return snapshotText(rows);
}

/** One that was made up, or that is of a later state of a database that was restored, has not been. */
export const hasBeen: Step<'hasBeen'> = {
  scope: 'separately',
  async run(work, [end]) {
    const [row] = await work.rows<{ number: number }>(sql`
      select greatest(s.below, coalesce((select max(id) + 1 from hf.job_change), 0)) as number from hf.settled_changes s`);
    return [{ has_been: BigInt(end) <= BigInt(row?.number ?? 0) }];
  },
};

export const plannedCounts: Step<'plannedCounts'> = {
  scope: 'asOfOneMoment',
  async run(work, [queueId]) {
    const which = queueId === null ? sql`q.name not like 'holdfast.%'` : sql`q.id = ${queueId}`;
    const rows = await work.rows<CountedRow & { readonly name: string }>(sql`
      select q.name, s.* from hf.queue q join (select queue_id, ${sums(JOB_STATES)} from ${COUNTED} group by queue_id) s
        on s.queue_id = q.id where ${which}`);
    const counts = rows.flatMap((row) => JOB_STATES.map((state) => [row.name, state, row[state]] as const));
    return [{ snapshot: await snapshotOf(work), counts: counts.filter(([, , count]) => count > 0) }];
  },
};

/**
 * A number is given a moment before its row is stored, and nobody sees that. So long after a number was seen, every one below it has its row, or never will:
 * a moment is a few microseconds.
 */
const SETTLED_AFTER_S = 5;
/** Changes of one piece. */
const CHANGES_MAX = 10_000;

interface SettledRow {
  readonly next_below: number;
}

/**
 * Changes that have ended need no row any more. What has not is what is stored, though not by all: it is seen in a transaction to which also that is shown which
 * others have not committed, and its rows are locked.
 */
export const catchUp: Step<'catchUp'> = {
  scope: 'seeingUncommitted',
  isWorth: async (work) => (await settledRows(work, sql``)).length > 0,
  async run(work) {
    const [settled] = await settledRows(work, sql`for update skip locked`);
    if (settled === undefined) return [];
    const stored = await changesBelow(work, settled.next_below, sql`limit ${new SqlText(String(CHANGES_MAX))}`);
    const isAll = stored.length < CHANGES_MAX;
    const below = isAll ? settled.next_below : (stored.at(-1) ?? 0) + 1;
    const ended = await changesBelow(work, below, sql`for update skip locked`);
    const hasEnded = new Set(ended);
    const open = stored.filter((number) => !hasEnded.has(number)).join(',');
    await deleteRows(work, 'job_change', ended, BY_ID);
    await work.rows(sql`update hf.settled_changes set below = ${below}, still_open = ${open}`);
    if (isAll) await lookAhead(work);
    return [{ more: !isAll }];
  },
};

function settledRows(work: Work, lock: SqlText): Promise<readonly SettledRow[]> {
  return work.rows<SettledRow>(
    sql`select next_below from hf.settled_changes where seen_at_s <= unix_timestamp() - ${SETTLED_AFTER_S} ${lock}`,
  );
}

async function changesBelow(work: Work, below: number, rest: SqlText): Promise<number[]> {
  const rows = await work.rows<{ id: number }>(
    sql`select id from hf.job_change force index (primary) where id < ${below} order by id ${rest}`,
  );
  return rows.map(({ id }) => id);
}

/** For the next time. */
async function lookAhead(work: Work): Promise<void> {
  const [last] = await work.rows<{ id: number | null }>(sql`select max(id) as id from hf.job_change`);
  await work.rows(sql`
    update hf.settled_changes set next_below = greatest(below, ${(last?.id ?? 0) + 1}), seen_at_s = unix_timestamp()`);
}
