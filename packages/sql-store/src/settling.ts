import type {
  AckItem,
  ExtendItem,
  FailItem,
  JobError,
  LeaseRef,
  Payload,
  ReleaseItem,
  SettleAnswer,
} from '@holdfast/contract';
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
import { type JobNames, NOBODY, tokenNumber } from './job-names.js';
import { payloadColumns } from './payload-columns.js';
import type { CompletedLease, FailedLease, LeaseKey, LocatedRow, Queries, SettledRow } from './statements.js';

/** What was settled, beside the answers. */
export interface Settled {
  readonly answers: SettleAnswer[];
  /** Jobs that wait again: the queue, and for how long. */
  readonly starts: readonly { readonly queue_id: number; readonly waits_ms: number | null }[];
  /** Whose leases were extended. */
  readonly workers: readonly string[];
}

/** A checked call: leases in input order, and how to settle those at some places of it. */
export interface SettleCall {
  readonly leases: readonly LeaseKey[];
  /** Whether all of several items that name one lease are answered as the first is. */
  readonly isEachOk: boolean;
  /** Whether a lease that has completed its job before is answered `ok`. */
  readonly isAck: boolean;
  readonly run: (
    queries: Queries,
    places: readonly number[],
  ) => Promise<readonly (LeaseKey & Partial<SettledRow> & { readonly worker?: string })[]>;
}

export class SettleChecks {
  readonly #names: JobNames;

  constructor(names: JobNames) {
    this.#names = names;
  }

  ack(items: readonly AckItem[]): SettleCall {
    checkAck(items);
    // One object an item: what is copied for each job of a drain is garbage that the application's thread collects.
    const leases = items.map((item, index): CompletedLease => {
      checkLease('ack', index, item);
      checkResult(index, item.result);
      const [number, token] = [this.#names.number(item.id), tokenNumber(item.token)];
      return item.result === undefined
        ? { number, token, result_text: null, result_bytes: null, result_size: 0 }
        : { number, token, ...resultColumns(item.result) };
    });
    return {
      leases,
      isEachOk: true,
      isAck: true,
      run: (queries, places) => queries.run('ack', [places.map((place) => leases[place]!)]),
    };
  }

  fail(items: readonly FailItem[]): SettleCall {
    checkItems('fail', items);
    const ends = items.map((item, index) => {
      checkLease('fail', index, item);
      const then = checkedThen(item.then, index);
      const error = errorColumns(shortened(item.error));
      return typeof then === 'object'
        ? { ending: 'delay' as const, retry_ms: then.retryInMs, late_ms: 0, ...error }
        : { ending: then, retry_ms: 0, late_ms: 0, ...error };
    });
    const leases = this.#leases(items);
    return {
      leases,
      isEachOk: false,
      isAck: false,
      run: (queries, places) =>
        queries.run('fail', [places.map((place) => ({ ...leases[place]!, ...ends[place]! })), 'failed']),
    };
  }

  release(items: readonly ReleaseItem[]): SettleCall {
    checkItems('release', items);
    const delays = items.map((item, index) => {
      checkLease('release', index, item);
      return checkedMs(`release[${index}].delayMs`, item.delayMs ?? 0, 0, LIMITS.delayMsMax);
    });
    const leases = this.#leases(items);
    return {
      leases,
      isEachOk: false,
      isAck: false,
      run: (queries, places) =>
        queries.run('release', [places.map((place) => ({ ...leases[place]!, delay_ms: delays[place]! }))]),
    };
  }

  /** The last of several extensions of one lease holds, and each counts. */
  extend(items: readonly ExtendItem[]): SettleCall {
    checkItems('extend', items);
    const lengths = items.map((item, index) => {
      checkLease('extend', index, item);
      return checkedMs(`extend[${index}].leaseMs`, item.leaseMs, LIMITS.leaseMsMin, LIMITS.leaseMsMax);
    });
    const leases = this.#leases(items);
    const same = (place: number) => leases.flatMap((lease, index) => (isSame(lease, leases[place]!) ? [index] : []));
    return {
      leases,
      isEachOk: true,
      isAck: false,
      run: (queries, places) => {
        const all = items.length === places.length ? places.map((place) => [place]) : places.map(same);
        return queries.run('extend', [
          all.map((ones) => ({ ...leases[ones[0]!]!, lease_ms: lengths[ones.at(-1)!]!, times: ones.length })),
        ]);
      },
    };
  }

  #leases(items: readonly LeaseRef[]): LeaseKey[] {
    return items.map(({ id, token }) => ({ number: this.#names.number(id), token: tokenNumber(token) }));
  }
}

function resultColumns(result: Payload) {
  const [result_text, result_bytes] = payloadColumns(result);
  return { result_text, result_bytes, result_size: payloadBytes([result]) };
}

type ErrorColumns = Pick<
  FailedLease,
  'error_class' | 'error_message' | 'error_stack' | 'kind' | 'kind_message' | 'kind_frame'
>;

export function errorColumns(error: JobError): ErrorColumns {
  const kind = errorKind(error);
  return {
    error_class: error.class,
    error_message: error.message,
    error_stack: error.stack ?? null,
    kind: kind.fingerprint,
    kind_message: kind.message,
    kind_frame: kind.frame ?? null,
  };
}

/** Settles leases, and finds out why some were not. */
export async function settle(queries: Queries, call: SettleCall): Promise<Settled> {
  const places = firstPlaces(call.leases);
  const rows = places.length === 0 ? [] : await call.run(queries, places);
  const answers =
    rows.length === call.leases.length ? rows.map(() => 'ok' as const) : await answersOf(queries, call, places, rows);
  const workers = new Set(rows.map(({ worker }) => worker).filter((worker) => worker !== undefined));
  return { answers, starts: rows.filter(isStart), workers: [...workers] };
}

/** Of a call in which not every lease was settled, or one was named twice. */
async function answersOf(
  queries: Queries,
  call: SettleCall,
  places: readonly number[],
  rows: readonly LeaseKey[],
): Promise<SettleAnswer[]> {
  const settled = new Set(rows.map(leaseName));
  const first = new Set(places);
  const areOk = call.leases.map((lease, place) => settled.has(leaseName(lease)) && (call.isEachOk || first.has(place)));
  const located = await locate(
    queries,
    call.leases.filter((_, place) => !areOk[place]),
  );
  return call.leases.map(({ number, token }, place) =>
    areOk[place] ? 'ok' : answerOf(located.get(number), call.isAck ? token : undefined),
  );
}

function isStart<Row extends Partial<SettledRow>>(row: Row): row is Row & Settled['starts'][number] {
  return row.queue_id !== undefined && typeof row.waits_ms === 'number';
}

export async function locate(
  queries: Queries,
  jobs: readonly { readonly number: number }[],
): Promise<ReadonlyMap<number, LocatedRow>> {
  const numbers = jobs.map(({ number }) => number).filter((number) => number !== NOBODY);
  if (numbers.length === 0) return new Map();
  const rows = await queries.run('locate', [numbers]);
  return new Map(rows.map((row) => [row.number, row]));
}

/** @param ackedWith the token of an ack: the one that completed the job is good again */
export function answerOf(located: LocatedRow | undefined, ackedWith: number | undefined): SettleAnswer {
  if (located === undefined) return 'missing';
  if (located.state === 'cancelled') return 'cancelled';
  return located.state === 'completed' && located.token === ackedWith ? 'ok' : 'stale';
}

/** Where each lease stands for the first time; without those that are none. */
function firstPlaces(leases: readonly LeaseKey[]): number[] {
  if (areInOrder(leases)) return leases.map((_, place) => place);
  const seen = new Set<string>();
  return leases.flatMap((lease, place) => {
    const name = leaseName(lease);
    if (lease.number === NOBODY || lease.token === NOBODY || seen.has(name)) return [];
    seen.add(name);
    return [place];
  });
}

/** Leases as a claim hands them out, each with a greater token than the one before: most calls, and none of them names a lease twice. */
function areInOrder(leases: readonly LeaseKey[]): boolean {
  return leases.every(
    ({ number, token }, place) => number !== NOBODY && token > (place === 0 ? NOBODY : leases[place - 1]!.token),
  );
}

export function leaseName({ number, token }: LeaseKey): string {
  return `${number} ${token}`;
}

function isSame(one: LeaseKey, other: LeaseKey): boolean {
  return one.number === other.number && one.token === other.token;
}
