import type { Backoff } from '@holdfast/contract';
import { backoffMs } from '@holdfast/contract/rules';
import type { FailedLease, LeaseKey, LocatedRow, SettledRow } from '@holdfast/sql-store';
import { insertNumbered, insertRows, updating } from '../insert-rows.js';
import { sql } from '../sql-text.js';
import { Tally } from '../tally.js';
import { type Happening, ofJob, tell } from '../telling.js';
import { type Change, changeOf, type Moment, momentOf, type Work } from '../work.js';
import {
  BY_TOKEN,
  cameIn,
  deleteRows,
  endOf,
  freeKeys,
  insertWaiting,
  type LeaseRow,
  noteAttempts,
  slices,
  type WaitingRow,
} from './places.js';
import type { Step } from './step.js';

/** A lease with what it is settled with. */
type Settling<Item extends LeaseKey> = LeaseRow & { readonly item: Item };

/** Those of the leases that are live, in order of the call and held until the end of the transaction. */
async function liveLeases<Item extends LeaseKey>(work: Work, items: readonly Item[]): Promise<Settling<Item>[]> {
  const rows = new Map<number, LeaseRow>();
  const tokens = items.map(({ token }) => token).sort((one, other) => one - other);
  for (const slice of slices(tokens)) {
    const found = await work.rows<LeaseRow>(
      sql`select * from hf.lease force index (primary) where token in (${slice}) order by token for update`,
    );
    for (const row of found) rows.set(row.token, row);
  }
  return items.flatMap((item) => {
    const row = rows.get(item.token);
    return row === undefined || row.number !== item.number ? [] : [{ ...row, item }];
  });
}

function settled({ number, token, queue_id }: LeaseRow, waitsMs: number | null): SettledRow {
  return { number, token, queue_id, waits_ms: waitsMs };
}

function tokensOf(rows: readonly LeaseRow[]): number[] {
  return rows.map(({ token }) => token);
}

export const ack: Step<'ack'> = {
  scope: 'together',
  async run(work, [items]) {
    const rows = await liveLeases(work, items);
    if (rows.length === 0) return [];
    const change = await changeOf(work);
    const ends = rows.map((row) => ({
      ...endOf(row, change),
      state: 'completed',
      result_text: row.item.result_text,
      result_bytes: row.item.result_bytes,
      result_size: row.item.result_size,
      token: row.token,
      worker: row.worker,
      leased_at_ms: row.leased_at_ms,
    }));
    await insertRows(work, 'hf.ended', ends);
    await deleteRows(work, 'lease', tokensOf(rows), BY_TOKEN);
    await keepWindows(work, rows, change);
    const tally = new Tally();
    for (const { queue_id } of rows) {
      tally.add(queue_id, 'total_completed');
      tally.add(queue_id, 'leased', -1);
      tally.add(queue_id, 'completed');
    }
    await tally.note(work, change);
    await tell(
      work,
      change,
      rows.map((row) => ofJob('completed', row)),
    );
    return rows.map((row) => settled(row, null));
  },
};

/** The keys of completed jobs are taken for a while. Of two jobs with one key the last one stands for it. */
async function keepWindows(work: Work, rows: readonly LeaseRow[], { atMs }: Moment): Promise<void> {
  const freed = (await freeKeys(work, rows)).filter(({ until_ms }) => until_ms > atMs);
  const windows = new Map(
    freed.map(({ queue_id, dedupe_key, number, until_ms }) => [
      JSON.stringify([queue_id, dedupe_key]),
      { queue_id, dedupe_key, number, until_ms },
    ]),
  );
  await insertRows(work, 'hf.key_window', [...windows.values()], updating(['number', 'until_ms']));
}

interface RulesRow {
  readonly number: number;
  readonly max_attempts: number | null;
  readonly backoff_base_ms: number;
  readonly backoff_max_ms: number;
  readonly backoff_doubles: number;
  readonly backoff_jitter: Backoff['jitter'];
}

type Judged = Settling<FailedLease> & {
  readonly state: 'scheduled' | 'dead' | 'cancelled';
  readonly retryAtMs: number;
};

/** Ends attempts that did not complete their jobs. */
export const fail: Step<'fail'> = {
  scope: 'together',
  async run(work, [items, outcome]) {
    const rows = await liveLeases(work, items);
    if (rows.length === 0) return [];
    const change = await changeOf(work);
    const judged = await judge(work, rows, change);
    await noteFailures(work, judged, change, outcome);
    await deleteRows(work, 'lease', tokensOf(judged), BY_TOKEN);
    const again = judged.filter(({ state }) => state === 'scheduled').map((row) => waiting(row, change));
    await insertWaiting(work, again, ({ run_at_ms }) => run_at_ms <= change.atMs);
    await endJobs(
      work,
      judged.filter(({ state }) => state !== 'scheduled'),
      change,
    );
    await tallyFailures(work, judged, change, outcome);
    await tell(
      work,
      change,
      judged.flatMap((row) => [
        ...(outcome === 'leaseExpired' ? [failure(row, outcome)] : []),
        failure(row, endKind(row)),
      ]),
    );
    return judged.map((row) => settled(row, row.state === 'scheduled' ? row.retryAtMs - change.atMs : null));
  },
};

async function judge(work: Work, rows: readonly Settling<FailedLease>[], { atMs }: Moment): Promise<Judged[]> {
  const rules = new Map<number, RulesRow>();
  for (const slice of slices(rows.map(({ number }) => number))) {
    const found = await work.rows<RulesRow>(sql`
      select number, max_attempts, backoff_base_ms, backoff_max_ms, backoff_doubles, backoff_jitter
      from hf.job force index (primary) where number in (${slice})`);
    for (const row of found) rules.set(row.number, row);
  }
  return rows.flatMap((row) => {
    const rule = rules.get(row.number);
    return rule === undefined ? [] : [judgement(work, row, rule, atMs)];
  });
}

function judgement(work: Work, row: Settling<FailedLease>, rule: RulesRow, atMs: number): Judged {
  const { ending, retry_ms } = row.item;
  const isLast = rule.max_attempts !== null && row.attempts >= rule.max_attempts;
  const backoff: Backoff = {
    kind: rule.backoff_doubles === 1 ? 'exponential' : 'fixed',
    baseMs: rule.backoff_base_ms,
    maxMs: rule.backoff_max_ms,
    jitter: rule.backoff_jitter,
  };
  const retryMs = ending === 'delay' ? retry_ms : backoffMs(backoff, row.attempts, work.random);
  const state = ending === 'cancel' ? 'cancelled' : ending === 'dead' || isLast ? 'dead' : 'scheduled';
  return { ...row, state, retryAtMs: atMs + retryMs };
}

async function noteFailures(
  work: Work,
  judged: readonly Judged[],
  { atMs }: Moment,
  outcome: 'failed' | 'leaseExpired',
): Promise<void> {
  const ends = new Map(judged.map((row) => [row.token, row]));
  await noteAttempts(work, judged, atMs, ({ token }) => {
    const { state, item } = ends.get(token)!;
    const { error_class, error_message, error_stack } = item;
    return { outcome: state === 'cancelled' ? 'cancelled' : outcome, error_class, error_message, error_stack };
  });
  if (outcome !== 'leaseExpired') return;
  const expiries = judged.map(({ number, queue_id, name, worker, attempts, state, item }) => ({
    number,
    queue_id,
    name,
    worker,
    attempt: attempts,
    at_ms: atMs,
    late_ms: item.late_ms,
    then_state: state,
  }));
  await insertRows(work, 'hf.lease_expiry', expiries);
}

/** Retries keep their place in the order. */
function waiting(row: Judged, change: Change): WaitingRow {
  return { ...row, ...cameIn(change), run_at_ms: row.retryAtMs, expires_at_ms: null };
}

async function endJobs(work: Work, judged: readonly Judged[], change: Change): Promise<void> {
  const ends = judged.map((row) => ({
    ...endOf(row, change),
    state: row.state,
    cancel_cause: row.state === 'cancelled' ? 'handler' : null,
  }));
  const endNumbers = await insertNumbered(work, 'hf.ended', ends);
  await noteDeaths(
    work,
    judged.map((row, index) => ({ ...row, endNumber: endNumbers[index] ?? 0 })).filter(({ state }) => state === 'dead'),
    change.atMs,
  );
  await freeKeys(work, judged);
}

/** What dead jobs died of, so that those of one kind are found together. */
async function noteDeaths(
  work: Work,
  dead: readonly (Judged & { readonly endNumber: number })[],
  atMs: number,
): Promise<void> {
  const kinds = new Map(
    dead.map(({ item: { kind, error_class, kind_message, kind_frame } }) => [
      kind,
      { kind, error_class, message: kind_message, frame: kind_frame },
    ]),
  );
  const inOrder = [...kinds.values()].sort((one, other) => (one.kind < other.kind ? -1 : 1));
  await insertRows(work, 'hf.death_kind', inOrder, ' on duplicate key update kind = kind');
  const deaths = dead.map(({ number, queue_id, name, item, endNumber }) => {
    return { number, kind: item.kind, queue_id, name, end_number: endNumber, died_at_ms: atMs };
  });
  await insertRows(work, 'hf.death', deaths);
}

async function tallyFailures(work: Work, judged: readonly Judged[], moment: Moment, outcome: string): Promise<void> {
  const tally = new Tally();
  for (const { queue_id, state, retryAtMs } of judged) {
    tally.add(queue_id, 'leased', -1);
    if (state !== 'cancelled') tally.add(queue_id, 'total_failed');
    if (outcome === 'leaseExpired') tally.add(queue_id, 'total_expired');
    if (state === 'dead') tally.add(queue_id, 'total_dead');
    if (state !== 'scheduled') tally.add(queue_id, state);
    else if (retryAtMs <= moment.atMs) tally.add(queue_id, 'ready');
    else {
      tally.add(queue_id, 'scheduled');
      tally.add(queue_id, 'retrying');
    }
  }
  await tally.note(work, moment);
}

function endKind({ state }: Judged): string {
  return state === 'scheduled' ? 'retried' : state;
}

function failure(row: Judged, kind: string): Happening {
  const { attempts, worker, item } = row;
  const { error_class, error_message } = item;
  return { ...ofJob(kind, row), attempt: attempts, worker, error_class, error_message };
}

/** Hands jobs back; the attempt is not counted. */
export const release: Step<'release'> = {
  scope: 'together',
  async run(work, [items]) {
    const rows = await liveLeases(work, items);
    if (rows.length === 0) return [];
    const change = await changeOf(work);
    await noteAttempts(work, rows, change.atMs, () => ({ outcome: 'released' }));
    await deleteRows(work, 'lease', tokensOf(rows), BY_TOKEN);
    const again = rows.map((row) => ({
      ...row,
      ...cameIn(change),
      attempts: row.attempts - 1,
      run_at_ms: change.atMs + row.item.delay_ms,
      expires_at_ms: null,
    }));
    await insertWaiting(work, again, ({ run_at_ms }) => run_at_ms <= change.atMs);
    const tally = new Tally();
    for (const { queue_id, attempts, item } of rows) {
      tally.add(queue_id, 'leased', -1);
      tally.add(queue_id, item.delay_ms > 0 ? 'scheduled' : 'ready');
      if (item.delay_ms > 0 && attempts > 1) tally.add(queue_id, 'retrying');
    }
    await tally.note(work, change);
    return rows.map((row) => settled(row, row.item.delay_ms));
  },
};

/** Leases last from now. No index holds a deadline, so this changes none. */
export const extend: Step<'extend'> = {
  scope: 'together',
  async run(work, [items]) {
    const rows = await liveLeases(work, items);
    if (rows.length === 0) return [];
    const { atMs } = await momentOf(work);
    const alike = new Map<string, Settling<(typeof items)[number]>[]>();
    for (const row of rows) {
      const name = `${row.item.lease_ms} ${row.item.times}`;
      alike.set(name, [...(alike.get(name) ?? []), row]);
    }
    for (const group of alike.values()) {
      const { lease_ms, times } = group[0]!.item;
      for (const slice of slices(tokensOf(group))) {
        await work.rows(sql`
          update hf.lease force index (primary)
          set lease_ms = ${lease_ms}, deadline_ms = ${atMs + lease_ms}, extensions = extensions + ${times} where token in (${slice})`);
      }
    }
    return rows.map(({ number, token, worker }) => ({ number, token, worker }));
  },
};

/** Where jobs are: for those whose lease was not found, and those that an act did not fit. */
export const locate: Step<'locate'> = {
  scope: 'separately',
  async run(work, [numbers]) {
    const seen = await locateIn(work, numbers);
    if (work.latest === undefined) return seen;
    // A transaction can complete jobs itself; everything else that is new was done by others.
    const own = new Map(seen.filter(({ state }) => state === 'completed').map((row) => [row.number, row]));
    const latest = (await locateIn(work.latest, numbers)).filter(({ number }) => !own.has(number));
    return [...own.values(), ...latest];
  },
};

async function locateIn(work: Work, numbers: readonly number[]): Promise<LocatedRow[]> {
  const rows: LocatedRow[] = [];
  for (const slice of slices(numbers)) {
    rows.push(
      ...(await work.rows<LocatedRow>(sql`
        select j.number, q.name as queue, e.token,
          case when r.number is not null then 'ready' when s.number is not null then 'scheduled'
            when l.number is not null then 'leased' else e.state end as state
        from hf.job j join hf.queue q on q.id = j.queue_id
          left join hf.ready r on r.number = j.number left join hf.scheduled s on s.number = j.number
          left join hf.lease l on l.number = j.number left join hf.ended e on e.number = j.number
        where j.number in (${slice})`)),
    );
  }
  return rows;
}
