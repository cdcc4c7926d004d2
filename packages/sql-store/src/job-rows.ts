import type {
  Attempt,
  JobDetail,
  JobError,
  JobRow,
  JobState,
  LeaseExpiry,
  LeaseRow,
  OperatorAct,
  Retention,
} from '@holdfast/contract';
import { boundsOf, keptUntilMs, retentionOf } from '@holdfast/contract/rules';
import { type JobNames, NOBODY, tokenText } from './job-names.js';
import { toldOf } from './noting.js';
import { payloadOf } from './payload-columns.js';
import type { RowOfNote } from './statements.js';

/** A job as the database answers it. */
export interface RowOfJob {
  readonly number: number;
  readonly queue: string;
  readonly name: string;
  readonly state: JobState;
  readonly priority: number;
  readonly attempts: number;
  readonly max_attempts: number | null;
  readonly enqueued_at_ms: number;
  readonly run_at_ms: number;
  readonly updated_at_ms: number;
  readonly payload_size: number;
  readonly expires_at_ms: number | null;
  readonly token: number | null;
  readonly worker: string | null;
  readonly leased_at_ms: number | null;
  readonly lease_ms: number | null;
  readonly remaining_ms: number | null;
  readonly error_class: string | null;
  readonly error_message: string | null;
}

export interface AttemptRow {
  readonly token: number;
  readonly attempt: number;
  readonly worker: string;
  readonly started_at_ms: number;
  readonly ended_at_ms: number;
  readonly outcome: Attempt['outcome'];
  readonly error_class: string | null;
  readonly error_message: string | null;
  readonly error_stack: string | null;
}

export interface ActRow {
  readonly act: OperatorAct['act'];
  readonly at_ms: number;
  readonly actor: string;
  readonly reason: string | null;
  readonly priority: number | null;
  /** Of a job that went to another queue. */
  readonly from_queue?: string | null;
  readonly to_queue?: string | null;
}

export interface RowOfDetail extends RowOfJob {
  readonly payload_text: string | null;
  readonly payload_bytes: Uint8Array | null;
  readonly headers: string | null;
  readonly timeout_ms: number | null;
  readonly dedupe_key: string | null;
  readonly cloned_from: number | null;
  readonly result_text: string | null;
  readonly result_bytes: Uint8Array | null;
  readonly cancel_cause: JobDetail['cancelCause'] | null;
  readonly acked_worker: string | null;
  readonly acked_leased_at_ms: number | null;
  readonly acked_token: number | null;
  readonly attempt_log: readonly AttemptRow[] | null;
  readonly notes: readonly RowOfNote[] | null;
  readonly acts: readonly ActRow[] | null;
}

export interface RowOfLease {
  readonly number: number;
  readonly queue: string;
  readonly name: string;
  readonly worker: string;
  readonly attempts: number;
  readonly max_attempts: number | null;
  readonly token: number;
  readonly leased_at_ms: number;
  readonly lease_ms: number;
  readonly remaining_ms: number;
  readonly extensions: number;
  readonly progress: string | null;
}

export interface RowOfExpiry {
  readonly number: number;
  readonly queue: string;
  readonly name: string;
  readonly worker: string;
  readonly attempt: number;
  readonly at_ms: number;
  readonly late_ms: number;
  readonly then_state: LeaseExpiry['then'];
}

/** What a column holds, without what it does not. */
function given<Key extends string, Value, Given>(key: Key, value: Value | null, read: (value: Value) => Given) {
  return (value === null ? {} : { [key]: read(value) }) as { [Name in Key]?: Given };
}

const same = <Value>(value: Value): Value => value;

/** Reads rows of the database as what the contract speaks of. */
export class RowReader {
  readonly #names: JobNames;
  readonly #retention: Retention;

  constructor(names: JobNames, retention: Retention) {
    this.#names = names;
    this.#retention = retention;
  }

  job(row: RowOfJob): JobRow {
    const queue = row.queue;
    const ageMs = boundsOf(retentionOf(this.#retention, queue), row.state)?.ageMs ?? null;
    return {
      id: this.#names.id(row.number),
      queue,
      name: row.name,
      state: row.state,
      priority: row.priority,
      attempts: row.attempts,
      maxAttempts: row.max_attempts,
      enqueuedAtMs: row.enqueued_at_ms,
      runAtMs: row.run_at_ms,
      updatedAtMs: row.updated_at_ms,
      payloadBytes: row.payload_size,
      ...given('expiresAtMs', row.expires_at_ms, same),
      ...given('keptUntilMs', ageMs, (age) => keptUntilMs(row.updated_at_ms, age)),
      ...(row.state === 'leased' ? { lease: leaseFacts(row) } : {}),
      ...given('lastError', row.error_class, (name) => ({
        class: name,
        message: firstLine(row.error_message),
      })),
    };
  }

  detail(row: RowOfDetail): JobDetail {
    const notes = new Map((row.notes ?? []).map((note) => [note.token, note]));
    const attempts = (row.attempt_log ?? []).map((attempt) => ({
      ...attemptOf(attempt),
      ...toldOf(notes.get(attempt.token)),
    }));
    const last = lastAttempt(row).map((attempt) => ({
      ...attempt,
      ...toldOf(notes.get(row.token ?? row.acked_token ?? NOBODY)),
    }));
    const attemptLog: Attempt[] = [...attempts, ...last];
    const progress = given('progress', attemptLog.at(-1)?.progress ?? null, same);
    return {
      ...this.job(row),
      payload: payloadOf(row.payload_text, row.payload_bytes),
      ...given('timeoutMs', row.timeout_ms, same),
      ...given('headers', row.headers, headersOf),
      ...given('dedupeKey', row.dedupe_key, same),
      ...given('result', row.result_text ?? row.result_bytes, () => payloadOf(row.result_text, row.result_bytes)),
      ...progress,
      attemptLog,
      acts: (row.acts ?? []).map(actOf),
      ...given('clonedFrom', row.cloned_from, (number) => this.#names.id(number)),
      ...given('cancelCause', row.cancel_cause, (cause) => cause as NonNullable<JobDetail['cancelCause']>),
    };
  }

  lease(row: RowOfLease): LeaseRow {
    const { number, queue, name, attempts, max_attempts, extensions } = row;
    return {
      id: this.#names.id(number),
      queue: queue,
      name: name,
      attempt: attempts,
      maxAttempts: max_attempts,
      ...leaseFacts(row),
      extensions,
      ...given('progress', row.progress, same),
    };
  }

  expiry(row: RowOfExpiry): LeaseExpiry {
    const { number, queue, name, worker, attempt, at_ms, late_ms, then_state } = row;
    const texts = { queue: queue, name: name, worker: worker };
    // biome-ignore lint/suspicious/noThenProperty: a word of the contract, never awaited
    return { id: this.#names.id(number), ...texts, attempt, atMs: at_ms, lateMs: late_ms, then: then_state };
  }
}

export function headersOf(stored: string): Record<string, string> {
  return JSON.parse(stored) as Record<string, string>;
}

function leaseFacts(row: Pick<RowOfJob, 'worker' | 'token' | 'leased_at_ms' | 'lease_ms' | 'remaining_ms'>) {
  return {
    worker: row.worker ?? '',
    token: tokenText(row.token ?? 0),
    leasedAtMs: row.leased_at_ms ?? 0,
    leaseMs: row.lease_ms ?? 0,
    remainingMs: row.remaining_ms ?? 0,
  };
}

/** The attempt that runs or that completed the job is not noted beside: all of it stands with the lease or the end. */
function lastAttempt(row: RowOfDetail): Attempt[] {
  const attempt = row.attempts;
  if (row.state === 'leased') {
    const { worker, leasedAtMs } = leaseFacts(row);
    return [{ attempt, worker, startedAtMs: leasedAtMs, outcome: 'running' }];
  }
  if (row.state !== 'completed') return [];
  const worker = row.acked_worker ?? '';
  return [
    { attempt, worker, startedAtMs: row.acked_leased_at_ms ?? 0, endedAtMs: row.updated_at_ms, outcome: 'completed' },
  ];
}

export function attemptOf(row: AttemptRow): Attempt {
  return {
    attempt: row.attempt,
    worker: row.worker,
    startedAtMs: row.started_at_ms,
    endedAtMs: row.ended_at_ms,
    outcome: row.outcome,
    ...given('error', row.error_class, (name): JobError => {
      const message = row.error_message ?? '';
      return { class: name, message, ...given('stack', row.error_stack, same) };
    }),
  };
}

export function actOf({
  act,
  at_ms,
  actor,
  reason,
  priority,
  from_queue = null,
  to_queue = null,
}: ActRow): OperatorAct {
  return {
    act,
    atMs: at_ms,
    actor: actor,
    ...given('reason', reason, same),
    ...given('priority', priority, same),
    ...given('fromQueue', from_queue, same),
    ...given('toQueue', to_queue, same),
  };
}

function firstLine(message: string | null): string {
  return (message ?? '').split('\n', 1)[0] ?? '';
}
