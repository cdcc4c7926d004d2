import type { ActedRow } from '@holdfast/sql-store';
import { unchangedSince } from '../change-snapshot.js';
import { insertRows } from '../insert-rows.js';
import { SqlText, sql } from '../sql-text.js';
import { Tally } from '../tally.js';
import { ofJob, tell } from '../telling.js';
import { type Change, changeOf, type Moment, momentOf, type Work } from '../work.js';
import {
  BY_END,
  BY_TOKEN,
  cameIn,
  deleteRows,
  deleteWindows,
  type EndedRow,
  endOf,
  freeKeys,
  insertWaiting,
  type LeaseRow,
  lockJobs,
  noteAttempts,
  type PlaceRow,
  slices,
  type WaitingRow,
} from './places.js';
import type { Step } from './step.js';

interface Operator {
  readonly act: string;
  readonly actor: string;
  readonly reason: string | null;
  readonly priority?: number;
  /** Where the jobs go that are taken to another queue. */
  readonly toQueueId?: number;
}

async function noteActs(
  work: Work,
  rows: readonly { readonly number: number; readonly queue_id: number }[],
  { atMs }: Moment,
  { act, actor, reason, priority, toQueueId }: Operator,
): Promise<void> {
  const acts = rows.map(({ number, queue_id }) => {
    const isMoved = toQueueId !== undefined;
    const queues = { from_queue_id: isMoved ? queue_id : null, to_queue_id: toQueueId ?? null };
    return { number, act, at_ms: atMs, actor, reason, priority: priority ?? null, ...queues };
  });
  await insertRows(work, 'hf.act', acts);
}

/** Jobs that have been where they are since before the snapshot of a plan. */
function planned(snapshot: string | null): SqlText {
  return unchangedSince('x.changed_in', snapshot);
}

function numbersOf(rows: readonly { readonly number: number }[]): number[] {
  return rows.map(({ number }) => number);
}

function acted(rows: readonly (ActedRow & { readonly token?: number })[]): ActedRow[] {
  return rows.map(({ number, queue_id, token }) => ({ number, queue_id, token: token ?? null }));
}

/** A job that is gone from where it waited or was leased. */
type Gone = PlaceRow & Partial<LeaseRow> & { readonly was: 'ready' | 'scheduled' | 'leased' };

function isLease(row: Gone): row is Gone & LeaseRow {
  return row.was === 'leased';
}

/** Cancels jobs, in this order. */
async function cancelJobs(work: Work, gone: readonly Gone[], change: Change, cause: string): Promise<void> {
  const { atMs } = change;
  const leases = gone.filter(isLease);
  await noteAttempts(work, leases, atMs, () => ({ outcome: 'cancelled' }));
  await insertRows(
    work,
    'hf.ended',
    gone.map((row) => ({ ...endOf(row, change), state: 'cancelled', cancel_cause: cause })),
  );
  await deleteRows(
    work,
    'lease',
    leases.map(({ token }) => token),
    BY_TOKEN,
  );
  for (const place of ['ready', 'scheduled'] as const) {
    await deleteRows(work, place, numbersOf(gone.filter(({ was }) => was === place)));
  }
  await freeKeys(work, gone);
  const tally = new Tally();
  for (const { queue_id, was, attempts } of gone) {
    tally.add(queue_id, was, -1);
    if (was === 'scheduled' && attempts > 0) tally.add(queue_id, 'retrying', -1);
    tally.add(queue_id, 'cancelled');
  }
  await tally.note(work, change);
  await tell(
    work,
    change,
    gone.map((row) => ofJob('cancelled', row)),
  );
}

export const cancel: Step<'cancel'> = {
  scope: 'together',
  async run(work, [numbers, snapshot, actor, reason]) {
    const ready = await lockJobs<WaitingRow>(work, 'ready', numbers, planned(snapshot));
    const scheduled = await lockJobs<WaitingRow>(work, 'scheduled', numbers, planned(snapshot));
    const leases = await lockJobs<LeaseRow>(work, 'lease', numbers, planned(snapshot));
    const places = new Map(numbers.map((number, place) => [number, place]));
    const gone: Gone[] = [
      ...ready.map((row) => ({ ...row, was: 'ready' as const })),
      ...scheduled.map((row) => ({ ...row, was: 'scheduled' as const })),
      ...leases.map((row) => ({ ...row, was: 'leased' as const })),
    ].sort((one, other) => (places.get(one.number) ?? 0) - (places.get(other.number) ?? 0));
    if (gone.length === 0) return [];
    const change = await changeOf(work);
    await cancelJobs(work, gone, change, 'operator');
    await noteActs(work, gone, change, { act: 'cancel', actor, reason });
    return acted(gone);
  },
};

/** Jobs that nobody started in time; so many at most of each place. Those that should have been started first are first. */
export const expireJobs: Step<'expireJobs'> = {
  scope: 'together',
  async run(work, [limit]) {
    const change = await changeOf(work);
    const late = (table: 'ready' | 'scheduled') =>
      work.rows<WaitingRow>(sql`
        select x.* from ${new SqlText(`hf.${table} x force index (${table}_expiry)`)} where x.expires_at_ms <= ${change.atMs}
        order by x.expires_at_ms, x.number limit ${new SqlText(String(limit))} for update skip locked`);
    const ready = (await late('ready')).map((row) => ({ ...row, was: 'ready' as const }));
    const scheduled = (await late('scheduled')).map((row) => ({ ...row, was: 'scheduled' as const }));
    const gone = [...ready, ...scheduled].sort(
      (one, other) => (one.expires_at_ms ?? 0) - (other.expires_at_ms ?? 0) || one.number - other.number,
    );
    if (gone.length > 0) await cancelJobs(work, gone, change, 'expired');
    return acted(gone);
  },
};

/** Jobs that are not dead any more. */
async function endDeaths(work: Work, rows: readonly EndedRow[]): Promise<void> {
  await deleteRows(work, 'death', numbersOf(rows.filter(({ state }) => state === 'dead')));
}

export const redrive: Step<'redrive'> = {
  scope: 'together',
  async run(work, [numbers, snapshot, actor, reason]) {
    const gone = await lockJobs<EndedRow>(work, 'ended', numbers, sql`x.state = 'dead' and ${planned(snapshot)}`);
    if (gone.length === 0) return [];
    const change = await changeOf(work);
    const { atMs } = change;
    const again = gone.map((row) => ({
      ...row,
      ...cameIn(change),
      rank_ms: atMs,
      attempts: 0,
      run_at_ms: atMs,
      keyed: 0,
      expires_at_ms: null,
    }));
    await insertWaiting(work, again, () => true);
    await deleteRows(
      work,
      'ended',
      gone.map(({ end_number }) => end_number),
      BY_END,
    );
    await endDeaths(work, gone);
    await noteActs(work, gone, change, { act: 'redrive', actor, reason });
    const tally = new Tally();
    for (const { queue_id } of gone) {
      tally.add(queue_id, 'dead', -1);
      tally.add(queue_id, 'ready');
    }
    await tally.note(work, change);
    await tell(
      work,
      change,
      gone.map((row) => ofJob('redriven', row)),
    );
    return acted(gone.map(({ number, queue_id }) => ({ number, queue_id })));
  },
};

/** A job that would have ranked later by its time ranks as if it were enqueued now. */
export const runNow: Step<'runNow'> = {
  scope: 'together',
  async run(work, [numbers, snapshot, actor, reason]) {
    const gone = await lockJobs<WaitingRow>(work, 'scheduled', numbers, planned(snapshot));
    if (gone.length === 0) return [];
    const change = await changeOf(work);
    const { atMs } = change;
    const now = gone.map((row) => {
      return { ...row, ...cameIn(change), rank_ms: Math.min(row.rank_ms, atMs), run_at_ms: atMs };
    });
    await insertWaiting(work, now, () => true);
    await deleteRows(work, 'scheduled', numbersOf(gone));
    await noteActs(work, gone, change, { act: 'runNow', actor, reason });
    const tally = new Tally();
    for (const { queue_id, attempts } of gone) {
      tally.add(queue_id, 'scheduled', -1);
      if (attempts > 0) tally.add(queue_id, 'retrying', -1);
      tally.add(queue_id, 'ready');
    }
    await tally.note(work, change);
    return acted(gone);
  },
};

/** The priority is part of the key of a ready job, so its row is a new one. To plans the job has not changed. */
export const reprioritise: Step<'reprioritise'> = {
  scope: 'together',
  async run(work, [numbers, snapshot, actor, reason, priority]) {
    const ready = await lockJobs<WaitingRow>(work, 'ready', numbers, planned(snapshot));
    const scheduled = await lockJobs<WaitingRow>(work, 'scheduled', numbers, planned(snapshot));
    const gone = [...ready, ...scheduled];
    if (gone.length === 0) return [];
    await deleteRows(work, 'ready', numbersOf(ready));
    const ranked = ready.map((row) => ({ ...row, priority }));
    await insertWaiting(work, ranked, () => true);
    for (const slice of slices(numbersOf(scheduled))) {
      await work.rows(
        sql`update hf.scheduled force index (primary) set priority = ${priority} where number in (${slice})`,
      );
    }
    await noteActs(work, gone, await momentOf(work), { act: 'reprioritise', actor, reason, priority });
    return acted(gone);
  },
};

/** The queue is part of the key of a ready job too. Those that are there already are left alone. */
export const transfer: Step<'transfer'> = {
  scope: 'together',
  async run(work, [numbers, snapshot, actor, reason, queueId]) {
    const elsewhere = sql`x.queue_id <> ${queueId} and ${planned(snapshot)}`;
    const ready = queueId > 0 ? await lockJobs<WaitingRow>(work, 'ready', numbers, elsewhere) : [];
    const scheduled = queueId > 0 ? await lockJobs<WaitingRow>(work, 'scheduled', numbers, elsewhere) : [];
    const gone = [...ready, ...scheduled];
    if (gone.length === 0) return [];
    const change = await changeOf(work);
    const isReady = new Set(numbersOf(ready));
    const came = gone.map((row) => ({ ...row, queue_id: queueId, keyed: 0, changed_in: change.changedIn }));
    await deleteRows(work, 'ready', numbersOf(ready));
    await deleteRows(work, 'scheduled', numbersOf(scheduled));
    await insertWaiting(work, came, ({ number }) => isReady.has(number));
    for (const slice of slices(numbersOf(gone))) {
      await work.rows(sql`update hf.job force index (primary) set queue_id = ${queueId} where number in (${slice})`);
    }
    await freeKeys(work, gone);
    await noteActs(work, gone, change, { act: 'transfer', actor, reason, toQueueId: queueId });
    const tally = new Tally();
    for (const { number, queue_id, attempts } of gone) {
      const place = isReady.has(number) ? 'ready' : 'scheduled';
      tally.add(queue_id, place, -1);
      tally.add(queueId, place);
      if (place === 'ready' || attempts === 0) continue;
      tally.add(queue_id, 'retrying', -1);
      tally.add(queueId, 'retrying');
    }
    await tally.note(work, change);
    return acted(came);
  },
};

/** Everything that is known of jobs, but for the keys. The window of a key ends with the job that it names. */
async function forgetJobs(work: Work, numbers: readonly number[]): Promise<void> {
  for (const table of ['job', 'attempt', 'act', 'note'] as const) await deleteRows(work, table, numbers);
}

/** All but leased ones. */
export const remove: Step<'remove'> = {
  scope: 'together',
  async run(work, [numbers, snapshot]) {
    const ready = await lockJobs<WaitingRow>(work, 'ready', numbers, planned(snapshot));
    const scheduled = await lockJobs<WaitingRow>(work, 'scheduled', numbers, planned(snapshot));
    const ended = await lockJobs<EndedRow>(work, 'ended', numbers, planned(snapshot));
    const gone = [
      ...ready.map((row) => ({ ...row, was: 'ready' as const })),
      ...scheduled.map((row) => ({ ...row, was: 'scheduled' as const })),
      ...ended.map((row) => ({ ...row, was: row.state, keyed: 0 })),
    ].sort((one, other) => one.number - other.number);
    if (gone.length === 0) return [];
    const moment = await momentOf(work);
    await deleteRows(work, 'ready', numbersOf(ready));
    await deleteRows(work, 'scheduled', numbersOf(scheduled));
    await deleteRows(
      work,
      'ended',
      ended.map(({ end_number }) => end_number),
      BY_END,
    );
    await endDeaths(work, ended);
    await endWindowsOf(work, numbersOf(gone));
    await forgetJobs(work, numbersOf(gone));
    await freeKeys(work, gone);
    const tally = new Tally();
    for (const { queue_id, was, attempts } of gone) {
      tally.add(queue_id, was, -1);
      if (was === 'scheduled' && attempts > 0) tally.add(queue_id, 'retrying', -1);
    }
    await tally.note(work, moment);
    await tell(
      work,
      moment,
      gone.map((row) => ofJob('removed', row)),
    );
    return acted(gone.map(({ number, queue_id }) => ({ number, queue_id })));
  },
};

/** Windows of keys that these jobs hold. */
async function endWindowsOf(work: Work, numbers: readonly number[]): Promise<void> {
  for (const slice of slices(numbers, 200)) {
    const keyed = await work.rows<{ number: number; queue_id: number; dedupe_key: string }>(sql`
      select number, queue_id, dedupe_key from hf.job force index (primary)
      where number in (${slice}) and dedupe_key is not null`);
    const windows = keyed.map(
      ({ number, queue_id, dedupe_key }) =>
        sql`(queue_id = ${queue_id} and dedupe_key = ${dedupe_key} and number = ${number})`,
    );
    await deleteWindows(work, windows);
  }
}

/** By retention: jobs that came to this end and were not redriven meanwhile. */
export const forget: Step<'forget'> = {
  scope: 'together',
  async run(work, [numbers, state]) {
    const gone = await lockJobs<EndedRow>(work, 'ended', numbers, sql`x.state = ${state}`);
    if (gone.length === 0) return [];
    await deleteRows(
      work,
      'ended',
      gone.map(({ end_number }) => end_number),
      BY_END,
    );
    await endDeaths(work, gone);
    await forgetJobs(work, numbersOf(gone));
    const tally = new Tally();
    for (const row of gone) tally.add(row.queue_id, row.state, -1);
    await tally.note(work, await momentOf(work));
    return acted(gone.map(({ number, queue_id }) => ({ number, queue_id })));
  },
};
