import type { WholeAttempt, WholeEnd, WholeJob, WholeKey } from '@holdfast/contract/moving';
import {
  type AttemptItem,
  decodeAttemptHead,
  decodeAttemptItem,
  decodeCloneOrigin,
  decodeEnqueue,
  decodeExtras,
  decodePayload,
  decodeTemplate,
  type EnqueueFields,
  HistoryWalk,
  type MoveContents,
  type MoveFields,
  namesEnd,
  RECORD,
  type RecordBody,
  SHAPE_AT,
  STATE,
  stateName,
} from '@holdfast/core/records';

/** What a MOVE of a job says, in the words that all stores share. @throws RecordError */
export function wholeJob({ fields, enqueue, history }: MoveContents, takesKey: boolean): WholeJob {
  const body = bodyOf(enqueue);
  const enqueued = enqueuedOf(body);
  const origin = decodeCloneOrigin(body);
  const walk = new HistoryWalk(enqueued.id);
  const tokens: number[] = [];
  for (const { kind, body: bytes } of history) {
    const entry = { kind, ...bodyOf(bytes) };
    if (kind === RECORD.attempt) tokens.unshift(tokenOf(entry));
    walk.step(entry);
  }
  const { attempts, acts, result, cancelCause } = walk.history();
  const cloned = origin && {
    act: 'clone' as const,
    atMs: enqueued.enqueuedAtMs,
    actor: origin.actor,
    ...(origin.reason === '' ? {} : { reason: origin.reason }),
  };
  const { state } = fields;
  return {
    number: enqueued.id,
    ...decodeTemplate(enqueue.slice(SHAPE_AT, namesEnd(body))),
    state: stateName(state),
    priority: fields.priority,
    attempts: fields.attempts,
    payload: decodePayload(body),
    ...decodeExtras(body),
    enqueuedAtMs: enqueued.enqueuedAtMs,
    runAtMs: fields.runAtMs,
    updatedAtMs: fields.updatedAtMs,
    ...(state > STATE.leased ? {} : { rankAtMs: fields.rankAtMs }),
    ...(fields.mayExpire ? { expiresAtMs: enqueued.expiresAtMs } : {}),
    ...keyOf(enqueued, takesKey),
    ...(state === STATE.leased ? { lease: leaseOf(fields) } : {}),
    ...(state > STATE.leased ? { end: endOf(fields, result, cancelCause) } : {}),
    ...(origin === undefined ? {} : { clonedFrom: origin.id }),
    attemptLog: attempts.map((attempt, index): WholeAttempt => ({ ...attempt, token: tokens[index] ?? 0 })),
    acts: cloned === undefined ? acts : [cloned, ...acts],
    historyCut: fields.historyCut,
  };
}

export function bodyOf(buffer: Uint8Array): RecordBody {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return { buffer, view, offset: 0, bodyBytes: buffer.length };
}

function enqueuedOf(body: RecordBody): EnqueueFields {
  const fields: EnqueueFields = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
  decodeEnqueue(body, namesEnd(body), fields);
  return fields;
}

/** Of the one attempt in the record. */
function tokenOf(record: RecordBody): number {
  const item: AttemptItem = { id: 0, token: 0, attempt: 0, previous: 0 };
  decodeAttemptItem(record.view, decodeAttemptHead(record).itemsAt, item);
  return item.token;
}

function keyOf({ dedupe, enqueuedAtMs }: EnqueueFields, takesKey: boolean): { dedupe?: WholeKey } {
  if (dedupe === undefined) return {};
  const { key, forMs } = dedupe;
  if (!takesKey) return { dedupe: { key } };
  return { dedupe: { key, takenUntilMs: forMs === 0 ? 0 : enqueuedAtMs + forMs } };
}

function leaseOf({ token, worker, leasedAtMs, leaseMs }: MoveFields): NonNullable<WholeJob['lease']> {
  return { token, worker, leasedAtMs, leaseMs };
}

function endOf(
  { state, endedOrder, token }: MoveFields,
  result: WholeEnd['result'],
  cancelCause: NonNullable<WholeEnd['cancelCause']>,
): WholeEnd {
  return {
    order: endedOrder,
    ...(state === STATE.completed ? { token } : {}),
    ...(result === undefined ? {} : { result }),
    ...(state === STATE.cancelled ? { cancelCause } : {}),
  };
}
