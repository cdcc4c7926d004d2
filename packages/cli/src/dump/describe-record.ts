import { isUtf8 } from 'node:buffer';
import type { Payload } from '@holdfast/contract';
import { type LogRecord, locationOffset, SKIPPABLE } from '@holdfast/core/log';
import {
  ACT_PARTS,
  type AckItem,
  type ActParts,
  ATTEMPT_ITEM_BYTES,
  type AttemptItem,
  BodyReader,
  decodeAckItem,
  decodeAct,
  decodeAttemptHead,
  decodeAttemptItem,
  decodeCloneOrigin,
  decodeDead,
  decodeDedupe,
  decodeEnqueue,
  decodeExtras,
  decodeForgotten,
  decodeForgottenDead,
  decodeMove,
  decodeNote,
  decodePause,
  decodePayload,
  decodeRedrive,
  decodeRelease,
  decodeResume,
  decodeRetry,
  decodeTemplate,
  formatId,
  formatToken,
  namesEnd,
  RECORD,
  RecordError,
  SHAPE_AT,
  stateName,
} from '@holdfast/core/records';
import { hex } from './describe-header.js';
import { describeRemembered } from './describe-remembered.js';

export interface RecordView {
  /** Of the store, for the ids as they are shown elsewhere. */
  readonly tag: string;
  /** With payloads, results and undecoded bodies. */
  readonly payload: boolean;
}

export interface ItemFields {
  readonly id: number;
}

/**
 * A record as a line: what the page of the format says, with ids and tokens also as they are shown outside. What is undefined is left out
 * of the JSON. A log has millions of records, so the lines are made without copying objects into each other.
 */
export interface RecordLine {
  readonly head: Record<string, unknown>;
  readonly body: Body;
}

/** What a record says about the one job it speaks of, or about many: `items`. */
export interface Body extends Readonly<Record<string, unknown>> {
  readonly id?: number;
  readonly items?: readonly ItemFields[];
}

/** Where a record's checksum is, from its body on. */
const CRC_AT = -8;

const KIND_NAMES = new Map<number, string>(Object.entries(RECORD).map(([name, kind]) => [kind, name.toUpperCase()]));

export function describeRecord(view: RecordView, segment: number, seq: number, record: LogRecord): RecordLine {
  const { kind, flags, location, bodyBytes } = record;
  const head = {
    type: 'record',
    segment,
    offset: locationOffset(location),
    seq,
    kind,
    name: KIND_NAMES.get(kind),
    skippable: (flags & SKIPPABLE) === 0 ? undefined : true,
    bodyBytes,
    crc: hex(record.view.getUint32(record.offset + CRC_AT, true), 8),
  };
  try {
    return { head, body: describeBody(view, record) };
  } catch (error) {
    if (!(error instanceof RecordError)) throw error;
    return { head, body: { problem: `the record ${error.message}`, bodyBase64: undecoded(view, record) } };
  }
}

function describeBody(view: RecordView, record: LogRecord): Body {
  switch (record.kind) {
    case RECORD.enqueue:
    case RECORD.replace:
      return describeEnqueue(view, record);
    case RECORD.attempt:
      return describeAttempt(view, record);
    case RECORD.ack:
      return describeAck(view, record);
    case RECORD.retry:
      return reference(view, decodeRetry(record, true));
    case RECORD.dead:
    case RECORD.withdraw:
      return reference(view, decodeDead(record, true));
    case RECORD.release:
      return reference(view, decodeRelease(record));
    case RECORD.note:
      return describeNote(view, record);
    case RECORD.redrive: {
      const { id, ...rest } = decodeRedrive(record);
      return { id, job: formatId(view.tag, id), ...rest };
    }
    case RECORD.move:
      return describeMove(view, record);
    default:
      return describeAct(view, record);
  }
}

/** What was done to jobs or queues from outside. */
function describeAct(view: RecordView, record: LogRecord): Body {
  switch (record.kind) {
    case RECORD.cancel:
      return describeItems(view, record, ACT_PARTS.cancel);
    case RECORD.runNow:
      return describeItems(view, record, ACT_PARTS.runNow);
    case RECORD.reprioritise:
      return describeItems(view, record, ACT_PARTS.reprioritise);
    case RECORD.transfer:
      return describeItems(view, record, ACT_PARTS.transfer);
    case RECORD.remove:
      return describeItems(view, record, ACT_PARTS.remove);
    case RECORD.expire:
      return describeItems(view, record, ACT_PARTS.expire);
    case RECORD.pause:
      return decodePause(record);
    case RECORD.forgotten:
      return { ...decodeForgotten(record) };
    case RECORD.remembered:
      return describeRemembered(view.tag, record);
    case RECORD.forgottenDead:
      return { ...decodeForgottenDead(record) };
    case RECORD.resume:
      return decodeResume(record);
    default:
      return { bodyBase64: undecoded(view, record) };
  }
}

function describeItems(view: RecordView, record: LogRecord, parts: ActParts): Body {
  const { atMs, priority, from, to, actor, reason, items } = decodeAct(record, parts);
  return {
    atMs,
    priority: parts.priority ? priority : undefined,
    from: parts.queues ? from : undefined,
    to: parts.queues ? to : undefined,
    actor: parts.actor ? actor : undefined,
    reason: parts.actor ? reason : undefined,
    items: items.map(({ id, previous }) => ({
      id,
      job: formatId(view.tag, id),
      previous: parts.previous ? previous : undefined,
    })),
  };
}

function describeEnqueue(view: RecordView, record: LogRecord): Body {
  const optionsAt = namesEnd(record);
  const fields = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
  decodeEnqueue(record, optionsAt, fields);
  const { queue, name: jobName, maxAttempts, backoff } = shapeOf(record, optionsAt);
  const { id, payloadBytes, expiresAtMs } = fields;
  const origin = decodeCloneOrigin(record);
  const payload = view.payload ? payloadOf(record, payloadBytes) : undefined;
  return {
    id,
    job: formatId(view.tag, id),
    queue,
    jobName,
    enqueuedAtMs: fields.enqueuedAtMs,
    runAtMs: fields.runAtMs,
    priority: fields.priority,
    expiresAtMs: expiresAtMs === 0 ? undefined : expiresAtMs,
    clonedFrom: origin === undefined ? undefined : { ...origin, job: formatId(view.tag, origin.id) },
    maxAttempts,
    backoff,
    ...decodeExtras(record),
    dedupe: decodeDedupe(record),
    payloadBytes,
    payload: textOf(payload),
    payloadBase64: base64Of(payload),
  };
}

let lastTemplate: Uint8Array = new Uint8Array(0);
let lastShape: ReturnType<typeof decodeTemplate> | undefined;

/** Most jobs are of the shape of the one before, and reading it anew costs more than all the rest. */
function shapeOf({ buffer, offset }: LogRecord, optionsAt: number): ReturnType<typeof decodeTemplate> {
  const shapeAt = offset + SHAPE_AT;
  let isSame = lastTemplate.length === optionsAt - shapeAt;
  for (let index = 0; isSame && index < lastTemplate.length; index++) {
    isSame = lastTemplate[index] === buffer[shapeAt + index];
  }
  if (isSame && lastShape !== undefined) return lastShape;
  const template = buffer.slice(shapeAt, optionsAt);
  lastShape = decodeTemplate(template);
  lastTemplate = template;
  return lastShape;
}

/** Of the history inside only the number of records: their own lines were printed when they were in the log. */
function describeMove(view: RecordView, record: LogRecord): Body {
  const { enqueue, historyAt: _, token, state, ...fields } = decodeMove(record);
  const job = describeEnqueue(view, { ...record, ...enqueue });
  return { ...job, ...fields, state: stateName(state), ...(token === 0 ? {} : { token: formatToken(token) }) };
}

function describeAttempt(view: RecordView, record: LogRecord): Body {
  const { atMs, leaseMs, worker, count, itemsAt } = decodeAttemptHead(record);
  const item: AttemptItem = { id: 0, token: 0, attempt: 0, previous: 0 };
  const items = Array.from({ length: count }, (_, index) => {
    decodeAttemptItem(record.view, itemsAt + index * ATTEMPT_ITEM_BYTES, item);
    const { id, token, attempt, previous } = item;
    return { id, job: formatId(view.tag, id), token: formatToken(token), attempt, previous };
  });
  return { atMs, leaseMs, worker, items };
}

function describeAck(view: RecordView, record: LogRecord): Body {
  const reader = new BodyReader(record);
  const atMs = reader.u64();
  const count = reader.u32();
  const item: AckItem = { id: 0, token: 0, previous: 0, result: undefined, resultBytes: 0 };
  const items = Array.from({ length: count }, () => {
    decodeAckItem(reader, item, view.payload);
    const { id, token, previous, result } = item;
    const lease = { id, job: formatId(view.tag, id), token: formatToken(token), previous };
    return { ...lease, result: textOf(result), resultBase64: base64Of(result) };
  });
  reader.end();
  return { atMs, items };
}

/** Lines are as much of the application as its payloads are. */
function describeNote(view: RecordView, record: LogRecord): Body {
  const { progress, lines, ...fields } = decodeNote(record);
  return {
    ...reference(view, fields),
    progress: progress === '' ? undefined : progress,
    lines: view.payload ? lines : undefined,
    lineCount: lines.length,
  };
}

function reference<Fields extends { readonly id: number; readonly token: number }>(view: RecordView, fields: Fields) {
  const { id, token, ...rest } = fields;
  return { id, job: formatId(view.tag, id), token: formatToken(token), ...rest };
}

/** A text that is none would be shown with other bytes than it has: then it is shown as bytes. */
function payloadOf(record: LogRecord, payloadBytes: number): Payload {
  const payload = decodePayload(record);
  const end = record.offset + record.bodyBytes;
  const bytes = record.buffer.subarray(end - payloadBytes, end);
  return typeof payload === 'string' && !isUtf8(bytes) ? bytes : payload;
}

function undecoded(view: RecordView, { buffer, offset, bodyBytes }: LogRecord): string | undefined {
  return view.payload ? base64Of(buffer.subarray(offset, offset + bodyBytes)) : undefined;
}

function textOf(value: Payload | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function base64Of(value: Payload | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? undefined : Buffer.from(value).toString('base64');
}
