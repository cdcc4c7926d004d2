import { COUNTS, type Count, type PauseRow, type QueueRow, STEP_MS } from '@holdfast/sql-store';
import { insertRows, type NewRow } from '../insert-rows.js';
import { joined, SqlText, sql } from '../sql-text.js';
import { tell } from '../telling.js';
import { momentOf, type Work } from '../work.js';
import { BY_ID, deleteRows, slices } from './places.js';
import type { Step } from './step.js';

/** Whole numbers: the server adds them up as decimals. */
export function sums(counts: readonly Count[]): SqlText {
  return new SqlText(counts.map((count) => `cast(coalesce(sum(${count}), 0) as signed) as ${count}`).join(', '));
}

/** What is folded and what is not, in one view of the database: exact at every moment. */
export const COUNTED = new SqlText(
  `(select queue_id, ${COUNTS.join(', ')} from hf.queue_count union all select queue_id, ${COUNTS.join(', ')} from hf.ledger) c`,
);

/** Ready jobs that are looked at for the one that waits longest: in a longer queue, those that are claimed next. */
const OLDEST_OF = 10_000;
/** Queues that one statement asks for it: what a server takes at once has bounds, and it becomes slow long before. */
const LOOKED_AT_MAX = 100;

const ALL = new SqlText('true');

export type CountedRow = Readonly<Record<Count, number>>;
type SummaryRow = Omit<QueueRow, 'throughput' | 'oldest_ready_at_ms' | 'is_paused'> & {
  readonly is_paused: number;
} & CountedRow;

export const queues: Step<'queues'> = {
  scope: 'asOfOneMoment',
  async run(work, [names]) {
    const rows = await work.rows<SummaryRow>(sql`
      select q.*, s.*, ${work.now} as at_ms,
        (q.paused_since_ms is not null and (q.paused_until_ms is null or q.paused_until_ms > ${work.now})) as is_paused
      from hf.queue q left join (select queue_id, ${sums(COUNTS)} from ${COUNTED} group by queue_id) s on s.queue_id = q.id
      where ${names === null ? ALL : sql`q.name in (${names})`}`);
    if (rows.length === 0) return [];
    const oldest = await oldestReady(
      work,
      rows.filter(({ ready }) => ready > 0).map(({ id }) => id),
    );
    const throughput = await throughputs(work, names === null ? ALL : sql`queue_id in (${rows.map(({ id }) => id)})`);
    return rows.map((row) => ({
      ...row,
      ...(Object.fromEntries(COUNTS.map((count) => [count, row[count] ?? 0])) as CountedRow),
      is_paused: Number(row.is_paused) === 1,
      oldest_ready_at_ms: oldest.get(row.id) ?? null,
      throughput: throughput.get(row.id) ?? null,
    }));
  },
};

async function oldestReady(work: Work, queueIds: readonly number[]): Promise<ReadonlyMap<number, number | null>> {
  const oldest = new Map<number, number | null>();
  for (const slice of slices(queueIds, LOOKED_AT_MAX)) {
    const each = slice.map(
      (id) => sql`(select ${id} as queue_id, min(run_at_ms) as at_ms from (
        select run_at_ms from hf.ready force index (primary) where queue_id = ${id}
        order by priority, rank_ms, number limit ${new SqlText(String(OLDEST_OF))}) x)`,
    );
    const rows = await work.rows<{ queue_id: number; at_ms: number | null }>(joined(each, ' union all '));
    for (const { queue_id, at_ms } of rows) oldest.set(queue_id, at_ms);
  }
  return oldest;
}

type Point = readonly [step: number, enqueued: number, completed: number, failed: number];

async function throughputs(work: Work, where: SqlText): Promise<ReadonlyMap<number, readonly Point[]>> {
  const rows = await work.rows<Record<'queue_id' | 'step' | 'enqueued' | 'completed' | 'failed', number>>(sql`
    select queue_id, step, cast(sum(enqueued) as signed) as enqueued, cast(sum(completed) as signed) as completed,
      cast(sum(failed) as signed) as failed from (
      select queue_id, step, enqueued, completed, failed from hf.throughput where ${where}
      union all select queue_id, step, total_enqueued, total_completed, total_failed from hf.ledger where ${where}) t
    group by queue_id, step`);
  const points = new Map<number, Point[]>();
  for (const { queue_id, step, enqueued, completed, failed } of rows) {
    const known = points.get(queue_id) ?? [];
    known.push([step, enqueued, completed, failed]);
    points.set(queue_id, known);
  }
  return points;
}

export const totals: Step<'totals'> = {
  scope: 'separately',
  run(work) {
    const counts = COUNTS.filter((count) => count.startsWith('total_'));
    return work.rows<CountedRow>(sql`select ${sums(counts)} from ${COUNTED}`);
  },
};

/** Lines of one piece. */
const LINES_MAX = 5000;

type LedgerRow = CountedRow & { readonly id: number; readonly queue_id: number; readonly step: number };

/** Adds up a piece of the ledger. Two who do it at once fold different lines. */
export const fold: Step<'fold'> = {
  scope: 'together',
  async run(work) {
    const lines = await work.rows<LedgerRow>(
      sql`select * from hf.ledger order by id limit ${new SqlText(String(LINES_MAX))} for update skip locked`,
    );
    if (lines.length === 0) return [];
    const counts = added(
      lines,
      ({ queue_id }) => ({ queue_id }),
      COUNTS,
      (line, count) => line[count],
    );
    await insertRows(work, 'hf.queue_count', counts, adding(COUNTS));
    const moved = lines.filter((line) => line.total_enqueued > 0 || line.total_completed > 0 || line.total_failed > 0);
    const columns = ['enqueued', 'completed', 'failed'] as const;
    const series = added(
      moved,
      ({ queue_id, step }) => ({ queue_id, step }),
      columns,
      (line, column) => line[`total_${column}`],
    );
    await insertRows(work, 'hf.throughput', series, adding(columns));
    await deleteRows(
      work,
      'ledger',
      lines.map(({ id }) => id),
      BY_ID,
    );
    return [{ more: lines.length === LINES_MAX }];
  },
};

/** One row for all lines of a key, in order of the keys. */
function added<Column extends string>(
  lines: readonly LedgerRow[],
  keyOf: (line: LedgerRow) => Readonly<Record<string, number>>,
  columns: readonly Column[],
  value: (line: LedgerRow, column: Column) => number,
): NewRow[] {
  const rows = new Map<
    string,
    { readonly key: Readonly<Record<string, number>>; readonly sums: Record<string, number> }
  >();
  for (const line of lines) {
    const key = keyOf(line);
    const name = Object.values(key).join(' ');
    const row = rows.get(name) ?? { key, sums: {} };
    rows.set(name, row);
    for (const column of columns) row.sums[column] = (row.sums[column] ?? 0) + value(line, column);
  }
  return [...rows.values()]
    .map(({ key, sums }): Readonly<Record<string, number>> => ({ ...key, ...sums }))
    .sort((one, other) => (one.queue_id ?? 0) - (other.queue_id ?? 0) || (one.step ?? 0) - (other.step ?? 0));
}

function adding(columns: readonly string[]): string {
  return ` on duplicate key update ${columns.map((column) => `${column} = ${column} + values(${column})`).join(', ')}`;
}

export const forgetThroughput: Step<'forgetThroughput'> = {
  scope: 'separately',
  async run(work, [steps]) {
    await work.rows(sql`delete from hf.throughput where step < ${work.now} div ${STEP_MS} - ${steps}`);
    return [];
  },
};

export const queueIds: Step<'queueIds'> = {
  scope: 'separately',
  run: (work, [names]) =>
    work.rows<{ id: number; name: string }>(sql`select id, name from hf.queue where name in (${names})`),
};

export const addQueues: Step<'addQueues'> = {
  scope: 'separately',
  async run(work, [names]) {
    const rows = [...new Set(names)].sort().map((name) => ({ name }));
    await insertRows(work, 'hf.queue', rows, ' on duplicate key update id = id');
    return [];
  },
};

/** The time since when it is paused stays while it is. */
export const pause: Step<'pause'> = {
  scope: 'together',
  async run(work, [queueId, forMs, actor, reason]) {
    const [was] = await work.rows<PauseRow>(sql`select * from hf.queue where id = ${queueId} for update`);
    if (was === undefined) return [];
    const moment = await momentOf(work);
    const { atMs } = moment;
    const isOver = was.paused_until_ms !== null && was.paused_until_ms <= atMs;
    const paused: PauseRow = {
      paused_since_ms: isOver ? atMs : (was.paused_since_ms ?? atMs),
      paused_until_ms: forMs === null ? null : atMs + forMs,
      paused_actor: actor,
      paused_reason: reason,
    };
    await work.rows(sql`
      update hf.queue set paused_since_ms = ${paused.paused_since_ms}, paused_until_ms = ${paused.paused_until_ms},
        paused_actor = ${actor}, paused_reason = ${reason} where id = ${queueId}`);
    await tell(work, moment, [{ kind: 'paused', queue_id: queueId, actor }]);
    return [paused];
  },
};

/** Answers whether it was paused. */
export const resume: Step<'resume'> = {
  scope: 'together',
  async run(work, [name, actor]) {
    const [held] = await work.rows<PauseRow & { readonly id: number }>(
      sql`select * from hf.queue where name = ${name} and paused_since_ms is not null for update`,
    );
    if (held === undefined) return [];
    await work.rows(sql`
      update hf.queue set paused_since_ms = null, paused_until_ms = null, paused_actor = null, paused_reason = null
      where id = ${held.id}`);
    const moment = await momentOf(work);
    if (held.paused_until_ms !== null && held.paused_until_ms <= moment.atMs) return [];
    await tell(work, moment, [{ kind: 'resumed', queue_id: held.id, actor }]);
    return [held];
  },
};
