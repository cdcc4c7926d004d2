import { createHash } from 'node:crypto';
import type { HolderRow, KeyRow } from '@holdfast/sql-store';
import { insertRows, updating } from '../insert-rows.js';
import { SqlText, sql } from '../sql-text.js';
import type { Work } from '../work.js';
import { anyOf, slices } from './places.js';
import type { Step } from './step.js';

/** Rows of `name_lock`. Two names of one row only wait for each other. */
const SLOTS = 4096;
const PAIRS_MAX = 200;
/** A word of the language, but also the name of the field. */
const KEY = new SqlText('`key`');

/**
 * Rows that are always there, locked in their order: the server has no lock of a name that ends with the transaction, and a row that is not there yet cannot be
 * locked without its neighbours.
 */
export const lockNames: Step<'lockNames'> = {
  scope: 'together',
  async run(work, [kind, names]) {
    const slots = new Set(names.map((name) => slotOf(`${kind} ${name}`)));
    for (const slice of slices([...slots].sort((one, other) => one - other))) {
      await work.rows(
        sql`select slot from hf.name_lock force index (primary) where slot in (${slice}) order by slot for update`,
      );
    }
    return [];
  },
};

function slotOf(name: string): number {
  return createHash('sha256').update(name).digest().readUInt16BE() % SLOTS;
}

/**
 * The keys are locked, so nobody else takes one meanwhile, but a job that took one may end. In a transaction of the caller's, whose reads may be of long
 * ago, what it sees and what is committed are held side by side; where they differ, the rows themselves are asked.
 */
export const keyHolders: Step<'keyHolders'> = {
  scope: 'separately',
  async run(work, [keys]) {
    const seen = await holdersOf(work, keys);
    if (work.latest === undefined) return seen;
    const latest = new Map((await holdersOf(work.latest, keys)).map((row) => [row.number, row]));
    const own = new Map(seen.map((row) => [row.number, row]));
    const unsure = [...new Set([...own.keys(), ...latest.keys()])].filter(
      (number) => !own.has(number) || !latest.has(number),
    );
    const live = await liveOf(work, unsure);
    const sure = [...own.keys()].filter((number) => latest.has(number));
    return [...sure, ...live]
      .sort((one, other) => one - other)
      .map((number) => newerOf(own.get(number), latest.get(number)));
  },
};

async function holdersOf(work: Work, keys: readonly KeyRow[]): Promise<HolderRow[]> {
  const rows: HolderRow[] = [];
  for (const slice of slices(keys, PAIRS_MAX)) {
    const pairs = slice.map(({ queue_id, key }) => sql`(k.queue_id = ${queue_id} and k.dedupe_key = ${key})`);
    rows.push(
      ...(await work.rows<HolderRow>(sql`
        select k.queue_id, k.dedupe_key as ${KEY}, k.number,
          case when r.number is not null then 'ready' when s.number is not null then 'scheduled' else 'leased' end as state
        from hf.key_holder k left join hf.ready r on r.number = k.number left join hf.scheduled s on s.number = k.number
        where ${anyOf(pairs)} order by k.number`)),
    );
  }
  return rows;
}

/** Which of them there are, in this moment and with what the transaction itself has done. */
async function liveOf(work: Work, numbers: readonly number[]): Promise<number[]> {
  if (numbers.length === 0) return [];
  const rows = await work.rows<{ number: number }>(sql`
    select number from hf.key_holder force index (primary) where number in (${numbers}) order by number lock in share mode`);
  return rows.map(({ number }) => number);
}

/** Where a job is that both know: leased is what is committed; of two places to wait the transaction may have changed one. */
function newerOf(own: HolderRow | undefined, latest: HolderRow | undefined): HolderRow {
  const one = own ?? latest;
  if (one === undefined) throw new Error('A key is held by a job that nobody knows.');
  return own !== undefined && latest !== undefined && (own.state === 'leased' || latest.state === 'leased')
    ? latest
    : one;
}

interface WindowRow extends KeyRow {
  readonly number: number;
}

export const keyWindows: Step<'keyWindows'> = {
  scope: 'separately',
  async run(work, [keys]) {
    const seen = await windowsOf(work, keys);
    if (work.latest === undefined) return seen;
    const nameOf = ({ queue_id, key }: KeyRow) => JSON.stringify([queue_id, key]);
    const own = new Map(seen.map((row) => [nameOf(row), row]));
    const latest = new Map((await windowsOf(work.latest, keys)).map((row) => [nameOf(row), row]));
    const isUnsure = (key: KeyRow) => own.get(nameOf(key))?.number !== latest.get(nameOf(key))?.number;
    const sure = seen.filter((row) => !isUnsure(row));
    return [...sure, ...(await windowsOf(work, keys.filter(isUnsure), 'locked'))];
  },
};

async function windowsOf(work: Work, keys: readonly KeyRow[], how: 'plain' | 'locked' = 'plain'): Promise<WindowRow[]> {
  const rows: WindowRow[] = [];
  for (const slice of slices(keys, PAIRS_MAX)) {
    const pairs = slice.map(({ queue_id, key }) => sql`(w.queue_id = ${queue_id} and w.dedupe_key = ${key})`);
    rows.push(
      ...(await work.rows<WindowRow>(sql`
        select w.queue_id, w.dedupe_key as ${KEY}, w.number from hf.key_window w force index (primary)
        where w.until_ms > ${work.now} and ${anyOf(pairs)} ${how === 'locked' ? sql`lock in share mode` : sql``}`)),
    );
  }
  return rows;
}

/** A request is never taken back, so whoever sees it is right. */
export const findRequest: Step<'findRequest'> = {
  scope: 'separately',
  async run(work, [id, keptMs]) {
    const find = (where: Work) =>
      where.rows<{ fingerprint: string; answer: string }>(
        sql`select fingerprint, answer from hf.request where id = ${id} and at_ms > ${where.now} - ${keptMs}`,
      );
    const seen = await find(work);
    return seen.length > 0 || work.latest === undefined ? seen : find(work.latest);
  },
};

export const keepRequest: Step<'keepRequest'> = {
  scope: 'together',
  async run(work, [id, fingerprint, jobs, answer]) {
    const [now] = await work.rows<{ at_ms: number }>(sql`select ${work.now} as at_ms`);
    const row = { id, fingerprint, at_ms: now?.at_ms ?? 0, jobs, answer };
    await insertRows(work, 'hf.request', [row], updating(['fingerprint', 'at_ms', 'jobs', 'answer']));
    return [];
  },
};

/** Too old, or beyond so many or so many jobs. */
export const forgetRequests: Step<'forgetRequests'> = {
  scope: 'separately',
  async run(work, [keptMs, kept, jobsKept]) {
    await work.rows(sql`
      delete from hf.request where id in (
        select id from (
          select id, at_ms, row_number() over w as place, sum(jobs) over w as all_jobs
          from hf.request window w as (order by at_ms desc, id)) x
        where at_ms <= ${work.now} - ${keptMs} or place > ${kept} or all_jobs > ${jobsKept})`);
    return [];
  },
};

export const forgetWindows: Step<'forgetWindows'> = {
  scope: 'separately',
  async run(work) {
    await work.rows(sql`delete from hf.key_window where until_ms <= ${work.now}`);
    return [];
  },
};
