import { keptUntilMs } from '@holdfast/contract/rules';
import type { HeadRow, OverdueRow } from '@holdfast/sql-store';
import { SqlText, sql } from '../sql-text.js';
import { Tally } from '../tally.js';
import { changeOf, momentOf } from '../work.js';
import { deleteRows, insertWaiting, type WaitingRow } from './places.js';
import type { Step } from './step.js';

function atMost(limit: number): SqlText {
  return sql`limit ${new SqlText(String(limit))}`;
}

interface FirstTimes {
  readonly at_ms: number;
  readonly due_at_ms: number | null;
  readonly lease_ends_at_ms: number | null;
  readonly ready_expires_at_ms: number | null;
  readonly scheduled_expires_at_ms: number | null;
  readonly to_fold: number;
  readonly to_catch_up: number;
}

/** Asked by the leader again and again, so one quick look at indexes and at small tables. */
export const look: Step<'look'> = {
  scope: 'separately',
  async run(work) {
    const rows = await work.rows<FirstTimes>(sql`
      select ${work.now} as at_ms, (select min(run_at_ms) from hf.scheduled) as due_at_ms,
        (select min(deadline_ms) from hf.lease) as lease_ends_at_ms,
        (select min(expires_at_ms) from hf.ready where expires_at_ms is not null) as ready_expires_at_ms,
        (select min(expires_at_ms) from hf.scheduled where expires_at_ms is not null) as scheduled_expires_at_ms,
        exists (select 1 from hf.ledger) as to_fold, exists (select 1 from hf.job_change) as to_catch_up`);
    return rows.map((row) => {
      const inMs = (...times: readonly (number | null)[]) => {
        const known = times.filter((time) => time !== null);
        return known.length === 0 ? null : Math.min(...known) - row.at_ms;
      };
      return {
        at_ms: row.at_ms,
        due_in_ms: inMs(row.due_at_ms),
        lease_ends_in_ms: inMs(row.lease_ends_at_ms),
        job_expires_in_ms: inMs(row.ready_expires_at_ms, row.scheduled_expires_at_ms),
        to_fold: Number(row.to_fold) === 1,
        to_catch_up: Number(row.to_catch_up) === 1,
      };
    });
  },
};

/** A job that is too old to start is left to its expiry. */
export const promote: Step<'promote'> = {
  scope: 'together',
  async run(work, [limit]) {
    const change = await changeOf(work);
    const due = await work.rows<WaitingRow>(sql`
      select s.* from hf.scheduled s force index (scheduled_due)
      where s.run_at_ms <= ${change.atMs} and (s.expires_at_ms is null or s.expires_at_ms > ${change.atMs})
      order by s.run_at_ms, s.number ${atMost(limit)} for update skip locked`);
    if (due.length === 0) return [];
    const came = due.map((row) => ({ ...row, updated_at_ms: row.run_at_ms, changed_in: change.changedIn }));
    await insertWaiting(work, came, () => true);
    await deleteRows(
      work,
      'scheduled',
      due.map(({ number }) => number),
    );
    const tally = new Tally();
    const counts = new Map<number, number>();
    for (const { queue_id, attempts } of due) {
      tally.add(queue_id, 'scheduled', -1);
      if (attempts > 0) tally.add(queue_id, 'retrying', -1);
      tally.add(queue_id, 'ready');
      counts.set(queue_id, (counts.get(queue_id) ?? 0) + 1);
    }
    await tally.note(work, change);
    return [...counts].map(([queue_id, count]) => ({ queue_id, count }));
  },
};

/** Found without a lock, because no index holds a deadline: a locking read would hold up every lease on its way. */
export const overdueLeases: Step<'overdueLeases'> = {
  scope: 'together',
  async run(work, [limit]) {
    const { atMs } = await momentOf(work);
    const found = await work.rows<{ token: number }>(
      sql`select token from hf.lease where deadline_ms <= ${atMs} order by deadline_ms, token ${atMost(limit)}`,
    );
    if (found.length === 0) return [];
    const tokens = found.map(({ token }) => token);
    const rows = await work.rows<OverdueRow>(sql`
      select l.number, l.token, l.worker, l.lease_ms, ${atMs} - l.deadline_ms as late_ms from hf.lease l force index (primary)
      where l.token in (${tokens}) and l.deadline_ms <= ${atMs} order by l.token for update skip locked`);
    const places = new Map(tokens.map((token, place) => [token, place]));
    return rows.toSorted((one, other) => (places.get(one.token) ?? 0) - (places.get(other.token) ?? 0));
  },
};

export const endedHeads: Step<'endedHeads'> = {
  scope: 'separately',
  async run(work) {
    const rows = await work.rows<HeadRow & { readonly ended_at_ms: number | null }>(sql`
      select q.id as queue_id, q.name, x.state, ${work.now} as at_ms,
        (select e.ended_at_ms from hf.ended e force index (ended_order)
          where e.queue_id = q.id and e.state = x.state order by e.end_number limit 1) as ended_at_ms
      from hf.queue q cross join (select 'completed' as state union all select 'cancelled' union all select 'dead') x`);
    return rows.filter(({ ended_at_ms }) => ended_at_ms !== null);
  },
};

export const beyondCount: Step<'beyondCount'> = {
  scope: 'separately',
  async run(work, [queueId, state, kept, limit]) {
    const column = new SqlText(state);
    const [counted] = await work.rows<{ count: number }>(sql`
      select cast(coalesce(sum(${column}), 0) as signed) as count from (
        select ${column} from hf.queue_count where queue_id = ${queueId}
        union all select ${column} from hf.ledger where queue_id = ${queueId}) c`);
    const beyond = Math.min(limit, (counted?.count ?? 0) - kept);
    if (beyond <= 0) return [];
    return work.rows<{ number: number }>(sql`
      select number from hf.ended force index (ended_order) where queue_id = ${queueId} and state = ${state}
      order by end_number ${atMost(beyond)}`);
  },
};

/** Those that ended before one that is forgotten are forgotten too. */
export const beyondAge: Step<'beyondAge'> = {
  scope: 'separately',
  async run(work, [queueId, state, ageMs, , limit]) {
    const rows = await work.rows<{ number: number; ended_at_ms: number; at_ms: number }>(sql`
      select number, ended_at_ms, ${work.now} as at_ms from hf.ended force index (ended_order)
      where queue_id = ${queueId} and state = ${state} order by end_number ${atMost(limit)}`);
    const last = rows.findLastIndex(({ ended_at_ms, at_ms }) => keptUntilMs(ended_at_ms, ageMs) <= at_ms);
    return rows.slice(0, last + 1).map(({ number }) => ({ number }));
  },
};

/** Bytes of payloads and results. */
export const beyondBytes: Step<'beyondBytes'> = {
  scope: 'separately',
  run: (work, [queueId, state, bytes, limit]) =>
    work.rows<{ number: number }>(sql`
      select number from (
        select e.number, e.end_number, sum(e.result_size + j.payload_size) over (order by e.end_number desc) as bytes
        from hf.ended e join hf.job j on j.number = e.number where e.queue_id = ${queueId} and e.state = ${state}) x
      where bytes > ${bytes} order by end_number ${atMost(limit)}`),
};

export const forgetEvents: Step<'forgetEvents'> = {
  scope: 'separately',
  async run(work, [keptMs]) {
    await work.rows(sql`delete from hf.event where at_ms < ${work.now} - ${keptMs}`);
    return [];
  },
};

export const forgetLeaseExpiries: Step<'forgetLeaseExpiries'> = {
  scope: 'separately',
  async run(work, [kept]) {
    const [last] = await work.rows<{ id: number }>(
      sql`select id from hf.lease_expiry order by id desc limit 1 offset ${new SqlText(String(kept))}`,
    );
    if (last !== undefined) await work.rows(sql`delete from hf.lease_expiry where id <= ${last.id}`);
    return [];
  },
};
