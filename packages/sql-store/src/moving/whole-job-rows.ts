import type { OperatorAct } from '@holdfast/contract';
import type { WholeAttempt, WholeJob } from '@holdfast/contract/moving';
import { errorKind, payloadBytes } from '@holdfast/contract/rules';
import { backoffColumns } from '../backoff-columns.js';
import { payloadColumns } from '../payload-columns.js';
import type { TableName, TableRow } from './movable-rows.js';

/** Rows of the tables of one job, or of many. */
export type RowsOfTables = Partial<Record<TableName, TableRow[]>>;

/** The rows of a job. @param queueId of the queues by name @param atMs when a lease that is moved ends */
export function addJobRows(rows: RowsOfTables, job: WholeJob, queueId: (queue: string) => number, atMs: number): void {
  const add = (table: TableName, ...added: TableRow[]) => {
    rows[table] ??= [];
    rows[table].push(...added);
  };
  const queue_id = queueId(job.queue);
  add('job', jobRow(job, queue_id));
  if (job.end === undefined) {
    const table = job.state === 'leased' ? 'lease' : job.state === 'ready' ? 'ready' : 'scheduled';
    add(table, { ...placeRow(job, queue_id), ...(table === 'lease' ? leaseRow(job, atMs) : waitingRow(job)) });
  } else {
    add('ended', endedRow(job, queue_id));
  }
  add('attempt', ...endedAttempts(job).map((attempt) => attemptRow(job.number, attempt)));
  add('note', ...job.attemptLog.flatMap((attempt) => noteRow(job.number, attempt)));
  add('act', ...job.acts.map((act) => actRow(job.number, act, queueId)));
  const { key, takenUntilMs } = job.dedupe ?? {};
  if (key === undefined || takenUntilMs === undefined) return;
  add(job.end === undefined ? 'key_holder' : 'key_window', {
    number: job.number,
    queue_id,
    key,
    until_ms: takenUntilMs,
  });
}

/** The error that a dead job died of. */
export function deathOf({ state, attemptLog }: WholeJob) {
  if (state !== 'dead') return undefined;
  const { error } = attemptLog.at(-1) ?? {};
  return error === undefined ? undefined : errorKind(error);
}

function jobRow(job: WholeJob, queue_id: number): TableRow {
  const { backoff, payload } = job;
  const [payload_text, payload_bytes] = payloadColumns(payload);
  return {
    number: job.number,
    queue_id,
    name: job.name,
    max_attempts: job.maxAttempts,
    ...backoffColumns(backoff),
    payload_text,
    payload_bytes,
    payload_size: payloadBytes([payload]),
    headers: job.headers === undefined ? null : JSON.stringify(job.headers),
    timeout_ms: job.timeoutMs ?? null,
    dedupe_key: job.dedupe?.key ?? null,
    enqueued_at_ms: job.enqueuedAtMs,
    cloned_from: job.clonedFrom ?? null,
  };
}

function placeRow(job: WholeJob, queue_id: number): TableRow {
  return {
    number: job.number,
    queue_id,
    name: job.name,
    priority: job.priority,
    rank_ms: job.rankAtMs ?? job.runAtMs,
    attempts: job.attempts,
    run_at_ms: job.runAtMs,
    keyed: job.dedupe?.takenUntilMs !== undefined,
  };
}

function waitingRow({ updatedAtMs, expiresAtMs }: WholeJob): TableRow {
  return { updated_at_ms: updatedAtMs, expires_at_ms: expiresAtMs ?? null };
}

/** Nobody works under it any more. */
function leaseRow({ lease }: WholeJob, atMs: number): TableRow {
  return {
    token: lease?.token ?? 0,
    worker: lease?.worker ?? '',
    leased_at_ms: lease?.leasedAtMs ?? 0,
    lease_ms: lease?.leaseMs ?? 0,
    deadline_ms: atMs,
  };
}

function endedRow(job: WholeJob, queue_id: number): TableRow {
  const { end, state } = job;
  const [result_text, result_bytes] = end?.result === undefined ? [null, null] : payloadColumns(end.result);
  const last = state === 'completed' ? job.attemptLog.at(-1) : undefined;
  return {
    number: job.number,
    queue_id,
    name: job.name,
    priority: job.priority,
    attempts: job.attempts,
    run_at_ms: job.runAtMs,
    state,
    ended_at_ms: job.updatedAtMs,
    end_number: end?.order ?? 0,
    result_text,
    result_bytes,
    result_size: end?.result === undefined ? 0 : payloadBytes([end.result]),
    token: end?.token ?? null,
    worker: last?.worker ?? null,
    leased_at_ms: last?.startedAtMs ?? null,
    cancel_cause: end?.cancelCause ?? null,
    error_kind: deathOf(job)?.fingerprint ?? null,
  };
}

/** All but the one that stands with the lease or the end. */
function endedAttempts({ state, attemptLog }: WholeJob): readonly WholeAttempt[] {
  return state === 'leased' || state === 'completed' ? attemptLog.slice(0, -1) : attemptLog;
}

function attemptRow(number: number, { error, ...attempt }: WholeAttempt): TableRow {
  return {
    number,
    token: attempt.token,
    attempt: attempt.attempt,
    worker: attempt.worker,
    started_at_ms: attempt.startedAtMs,
    ended_at_ms: attempt.endedAtMs ?? attempt.startedAtMs,
    outcome: attempt.outcome,
    error_class: error?.class ?? null,
    error_message: error?.message ?? null,
    error_stack: error?.stack ?? null,
  };
}

function noteRow(number: number, { token, progress, lines, droppedLines }: WholeAttempt): TableRow[] {
  if (progress === undefined && lines === undefined && droppedLines === undefined) return [];
  const told = { progress: progress ?? null, lines: JSON.stringify(lines ?? []), dropped_lines: droppedLines ?? 0 };
  return [{ number, token, ...told }];
}

function actRow(number: number, act: OperatorAct, queueId: (queue: string) => number): TableRow {
  return {
    number,
    act: act.act,
    at_ms: act.atMs,
    actor: act.actor,
    reason: act.reason ?? null,
    priority: act.priority ?? null,
    from_queue_id: act.fromQueue === undefined ? null : queueId(act.fromQueue),
    to_queue_id: act.toQueue === undefined ? null : queueId(act.toQueue),
  };
}
