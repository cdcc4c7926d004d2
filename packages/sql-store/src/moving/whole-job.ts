import type { Backoff } from '@holdfast/contract';
import type { WholeAttempt, WholeEnd, WholeJob, WholeKey } from '@holdfast/contract/moving';
import { type ActRow, type AttemptRow, actOf, attemptOf, headersOf } from '../job-rows.js';
import { toldOf } from '../noting.js';
import { payloadOf } from '../payload-columns.js';
import type { RowOfNote } from '../statements.js';
import type { RowOfWhole } from './movable-rows.js';

/** What the rows of a job say, in the words that all stores share. */
export function wholeJob(
  row: RowOfWhole,
  attempts: readonly AttemptRow[],
  notes: readonly RowOfNote[],
  acts: readonly ActRow[],
): WholeJob {
  const isLive = row.end_number === null;
  return {
    number: row.number,
    queue: row.queue,
    name: row.name,
    state: row.state,
    priority: row.priority,
    attempts: row.attempts,
    maxAttempts: row.max_attempts,
    backoff: backoffOf(row),
    payload: payloadOf(row.payload_text, row.payload_bytes),
    ...(row.timeout_ms === null ? {} : { timeoutMs: row.timeout_ms }),
    ...(row.headers === null ? {} : { headers: headersOf(row.headers) }),
    enqueuedAtMs: row.enqueued_at_ms,
    runAtMs: row.run_at_ms,
    updatedAtMs: row.updated_at_ms,
    ...(isLive ? { rankAtMs: row.rank_ms ?? 0 } : {}),
    ...(row.expires_at_ms === null ? {} : { expiresAtMs: row.expires_at_ms }),
    ...keyOf(row),
    ...(row.state === 'leased' ? { lease: leaseOf(row) } : {}),
    ...(isLive ? {} : { end: endOf(row) }),
    ...(row.cloned_from === null ? {} : { clonedFrom: row.cloned_from }),
    attemptLog: attemptLog(row, attempts, notes),
    acts: acts.map(actOf),
    historyCut: false,
  };
}

function backoffOf(row: RowOfWhole): Backoff {
  return {
    kind: row.backoff_name !== null ? 'named' : row.backoff_doubles ? 'exponential' : 'fixed',
    jitter: row.backoff_jitter as Backoff['jitter'],
    baseMs: row.backoff_base_ms,
    maxMs: row.backoff_max_ms,
    ...(row.backoff_name === null ? {} : { name: row.backoff_name }),
  };
}

function keyOf({ dedupe_key, held_until_ms, window_until_ms }: RowOfWhole): { dedupe?: WholeKey } {
  if (dedupe_key === null) return {};
  const takenUntilMs = held_until_ms ?? window_until_ms;
  return { dedupe: { key: dedupe_key, ...(takenUntilMs === null ? {} : { takenUntilMs }) } };
}

function leaseOf({ token, worker, leased_at_ms, lease_ms }: RowOfWhole): NonNullable<WholeJob['lease']> {
  return { token: token ?? 0, worker: worker ?? '', leasedAtMs: leased_at_ms ?? 0, leaseMs: lease_ms ?? 0 };
}

function endOf(row: RowOfWhole): WholeEnd {
  const { result_text, result_bytes } = row;
  return {
    order: row.end_number ?? 0,
    ...(row.state === 'completed' ? { token: row.acked_token ?? 0 } : {}),
    ...(result_text === null && result_bytes === null ? {} : { result: payloadOf(result_text, result_bytes) }),
    ...(row.cancel_cause === null || row.cancel_cause === undefined ? {} : { cancelCause: row.cancel_cause }),
  };
}

/** The attempt that runs, or that completed the job, stands with its lease or its end. */
function attemptLog(row: RowOfWhole, attempts: readonly AttemptRow[], notes: readonly RowOfNote[]): WholeAttempt[] {
  const told = (token: number) => toldOf(notes.find((note) => note.token === token));
  const ended = attempts.map((attempt) => ({ ...attemptOf(attempt), ...told(attempt.token), token: attempt.token }));
  if (row.state === 'leased') {
    const { token, worker, leasedAtMs } = leaseOf(row);
    const running = { attempt: row.attempts, worker, startedAtMs: leasedAtMs, outcome: 'running' as const };
    return [...ended, { ...running, ...told(token), token }];
  }
  if (row.state !== 'completed') return ended;
  const token = row.acked_token ?? 0;
  const started = { attempt: row.attempts, worker: row.acked_worker ?? '', startedAtMs: row.acked_leased_at_ms ?? 0 };
  return [...ended, { ...started, endedAtMs: row.updated_at_ms, outcome: 'completed', ...told(token), token }];
}
