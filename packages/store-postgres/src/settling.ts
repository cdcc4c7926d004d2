import type { AckItem, ExtendItem, FailItem, JobState, LeaseRef, ReleaseItem, SettleAnswer } from '@holdfast/contract';
import {
  checkAck,
  checkedMs,
  checkedThen,
  checkItems,
  checkLease,
  checkResult,
  errorKind,
  STORE_LIMITS as LIMITS,
  payloadBytes,
  shortened,
} from '@holdfast/contract/rules';
import { arrayLiteral } from './array-literal.js';
import type { Queries } from './database.js';
import { type JobNames, NOBODY, tokenNumber } from './job-names.js';
import { payloadColumns } from './payload-columns.js';
import type { StoreStatements } from './statements.js';
import { givenText, storedOrNull, storedText } from './stored-text.js';

/** What was settled, beside the answers. */
export interface Settled {
  readonly answers: SettleAnswer[];
  /** Jobs that wait again: the queue, and for how long. */
  readonly starts: readonly { readonly queue_id: number; readonly waits_ms: number | null }[];
  /** Whose leases were extended. */
  readonly workers: readonly string[];
}

interface SettledRow {
  readonly number: number;
  readonly token: number;
  readonly queue_id: number;
  readonly waits_ms: number | null;
  /** Of an extension. */
  readonly worker?: string;
}

export interface Lease {
  readonly number: number;
  readonly token: number;
}

/** A checked call: leases with what goes with each, in input order. */
export interface SettleCall {
  readonly statement: 'ack' | 'fail' | 'release' | 'extend';
  readonly leases: readonly Lease[];
  /** Columns of the statement beside job and token, for the leases at these places of the call. */
  readonly columns: (places: readonly number[]) => readonly unknown[];
}

export class SettleChecks {
  readonly #names: JobNames;

  constructor(names: JobNames) {
    this.#names = names;
  }

  ack(items: readonly AckItem[]): SettleCall {
    checkAck(items);
    const results = items.map((item, index) => {
      checkLease('ack', index, item);
      checkResult(index, item.result);
      return item.result === undefined
        ? { columns: [null, null] as const, size: 0 }
        : { columns: payloadColumns(item.result), size: payloadBytes([item.result]) };
    });
    return this.#call('ack', items, (places) => [
      arrayLiteral(places.map((place) => results[place]?.columns[0] ?? null)),
      arrayLiteral(places.map((place) => results[place]?.columns[1] ?? null)),
      arrayLiteral(places.map((place) => results[place]?.size ?? 0)),
    ]);
  }

  fail(items: readonly FailItem[]): SettleCall {
    checkItems('fail', items);
    const ends = items.map((item, index) => {
      checkLease('fail', index, item);
      const then = checkedThen(item.then, index);
      return {
        ending: typeof then === 'object' ? 'delay' : then,
        retryMs: typeof then === 'object' ? then.retryInMs : 0,
        error: shortened(item.error),
      };
    });
    return this.#call('fail', items, (places) =>
      failColumns(
        places.map((place) => ends[place]!),
        'failed',
      ),
    );
  }

  release(items: readonly ReleaseItem[]): SettleCall {
    checkItems('release', items);
    const delays = items.map((item, index) => {
      checkLease('release', index, item);
      return checkedMs(`release[${index}].delayMs`, item.delayMs ?? 0, 0, LIMITS.delayMsMax);
    });
    return this.#call('release', items, (places) => [places.map((place) => delays[place])]);
  }

  /** The last of several extensions of one lease holds, and each counts. */
  extend(items: readonly ExtendItem[]): SettleCall {
    checkItems('extend', items);
    const lengths = items.map((item, index) => {
      checkLease('extend', index, item);
      return checkedMs(`extend[${index}].leaseMs`, item.leaseMs, LIMITS.leaseMsMin, LIMITS.leaseMsMax);
    });
    const call = this.#call('extend', items, () => []);
    const same = (place: number) =>
      call.leases.flatMap((lease, index) => (isSame(lease, call.leases[place]!) ? [index] : []));
    return {
      ...call,
      columns: (places) => {
        const all = items.length === places.length ? places.map((place) => [place]) : places.map(same);
        return [all.map((ones) => lengths[ones.at(-1) ?? 0]), all.map(({ length }) => length)];
      },
    };
  }

  #call(statement: SettleCall['statement'], items: readonly LeaseRef[], columns: SettleCall['columns']): SettleCall {
    const leases = items.map(({ id, token }) => ({ number: this.#names.number(id), token: tokenNumber(token) }));
    return { statement, leases, columns };
  }
}

export interface EndedAttempt {
  readonly ending: string;
  readonly retryMs: number;
  readonly lateMs?: number;
  readonly error: { readonly class: string; readonly message: string; readonly stack?: string };
}

/** Behind job and token. */
export function failColumns(ends: readonly EndedAttempt[], outcome: 'failed' | 'leaseExpired'): unknown[] {
  const kinds = ends.map(({ error }) => errorKind(error));
  return [
    ends.map(({ ending }) => ending),
    ends.map(({ retryMs }) => retryMs),
    ends.map(({ lateMs = 0 }) => lateMs),
    outcome,
    ends.map(({ error }) => storedText(error.class)),
    ends.map(({ error }) => storedText(error.message)),
    ends.map(({ error }) => storedOrNull(error.stack)),
    kinds.map(({ fingerprint }) => fingerprint),
    kinds.map(({ message }) => storedText(message)),
    kinds.map(({ frame }) => storedOrNull(frame)),
  ];
}

/** Settles leases, and finds out why some were not. */
export async function settle(queries: Queries, statements: StoreStatements, call: SettleCall): Promise<Settled> {
  const places = firstPlaces(call.leases);
  const rows =
    places.length === 0
      ? []
      : await queries.run<SettledRow>(statements[call.statement], [
          arrayLiteral(places.map((place) => call.leases[place]?.number)),
          arrayLiteral(places.map((place) => call.leases[place]?.token)),
          ...call.columns(places),
        ]);
  const settled = new Set(rows.map(leaseName));
  const isEachOk = call.statement === 'ack' || call.statement === 'extend';
  const first = new Set(places);
  const isOk = (lease: Lease, place: number) => settled.has(leaseName(lease)) && (isEachOk || first.has(place));
  const others = call.leases.filter((lease, place) => !isOk(lease, place));
  const located = await locate(queries, statements, others);
  const answers = call.leases.map((lease, place) =>
    isOk(lease, place) ? 'ok' : answerOf(located.get(lease.number), call.statement === 'ack' ? lease.token : undefined),
  );
  const starts = rows.filter(({ waits_ms }) => typeof waits_ms === 'number');
  const workers = new Set(rows.flatMap(({ worker }) => (worker === undefined ? [] : [givenText(worker)])));
  return { answers, starts, workers: [...workers] };
}

interface LocatedRow {
  readonly number: number;
  readonly queue: string;
  readonly state: JobState;
  readonly token: number | null;
}

export async function locate(
  queries: Queries,
  statements: StoreStatements,
  jobs: readonly { readonly number: number }[],
): Promise<ReadonlyMap<number, LocatedRow>> {
  const numbers = jobs.map(({ number }) => number).filter((number) => number !== NOBODY);
  if (numbers.length === 0) return new Map();
  const rows = await queries.run<LocatedRow>(statements.locate, [numbers]);
  return new Map(rows.map((row) => [row.number, row]));
}

/** @param ackedWith the token of an ack: the one that completed the job is good again */
export function answerOf(located: LocatedRow | undefined, ackedWith: number | undefined): SettleAnswer {
  if (located === undefined) return 'missing';
  if (located.state === 'cancelled') return 'cancelled';
  return located.state === 'completed' && located.token === ackedWith ? 'ok' : 'stale';
}

/** Where each lease stands for the first time; without those that are none. */
function firstPlaces(leases: readonly Lease[]): number[] {
  const seen = new Set<string>();
  return leases.flatMap((lease, place) => {
    if (lease.number === NOBODY || lease.token === NOBODY || seen.has(leaseName(lease))) return [];
    seen.add(leaseName(lease));
    return [place];
  });
}

export function leaseName({ number, token }: Lease): string {
  return `${number} ${token}`;
}

function isSame(one: Lease, other: Lease): boolean {
  return one.number === other.number && one.token === other.token;
}
