import type { Payload } from '@holdfast/contract';
import type { JobExtras } from '@holdfast/contract/rules';
import {
  type CloneOrigin,
  NO_OPTIONS,
  readCloneOrigin,
  readDedupe,
  readExpiry,
  readExtras,
} from './enqueue-options.js';
import type { KeyFields } from './key-table.js';
import { asBuffer, type RecordBody, RecordError, readU64, writeU64 } from './record-body.js';

/*
 * ENQUEUE
 *   0 id u64 · 8 enqueuedAtMs u64 · 16 runAtMs u64
 *  24 priority u32 · 28 maxAttempts u32 · 32 backoffKind u8 · 33 jitter u8 · 34 payloadEncoding u8 · 35 reserved u8
 *  36 backoffBaseMs u32 · 40 backoffMaxMs u32 · 44 optionsBytes u16 · 46 queue str8 · name str8 · (backoffName str8) · options · payload
 *
 * What jobs of one shape share, 24 up to the options, is written once (ShapeTable) and copied; on replay the same bytes are compared
 * instead of decoded.
 */
const PRIORITY_AT = 24;
export const SHAPE_AT = 24;
export const BACKOFF_KIND_AT = 32;
/** Of this kind alone a record has a `backoffName`. */
export const BACKOFF_NAMED = 2;
export const ENCODING_AT = 34;
const OPTIONS_BYTES_AT = 44;
export const NAMES_AT = 46;

export const PAYLOAD_TEXT = 0;
export const PAYLOAD_BYTES = 1;

export interface EnqueueFields {
  id: number;
  enqueuedAtMs: number;
  runAtMs: number;
  priority: number;
  payloadBytes: number;
  /** 0: it may wait for ever. */
  expiresAtMs: number;
  dedupe?: KeyFields | undefined;
}

export function enqueueBodyBytes(template: Uint8Array, payloadBytes: number, options = NO_OPTIONS): number {
  return SHAPE_AT + template.length + options.length + payloadBytes;
}

export function payloadLength(payload: Payload): number {
  return typeof payload === 'string' ? Buffer.byteLength(payload, 'utf8') : payload.length;
}

/** All but the payload. `options` are the encoded ones: what `fields` says of them is not looked at. @returns where the payload goes */
export function encodeEnqueueHead(
  body: RecordBody,
  fields: EnqueueFields,
  template: Uint8Array,
  options: Uint8Array,
  encoding: number,
): number {
  const { view, buffer, offset } = body;
  writeU64(view, offset, fields.id);
  writeU64(view, offset + 8, fields.enqueuedAtMs);
  writeU64(view, offset + 16, fields.runAtMs);
  buffer.set(template, offset + SHAPE_AT);
  view.setUint32(offset + PRIORITY_AT, fields.priority, true);
  view.setUint8(offset + ENCODING_AT, encoding);
  const optionsAt = offset + SHAPE_AT + template.length;
  if (options.length > 0) {
    view.setUint16(offset + OPTIONS_BYTES_AT, options.length, true);
    buffer.set(options, optionsAt);
  }
  return optionsAt + options.length;
}

export function encodeEnqueue(
  body: RecordBody,
  fields: EnqueueFields,
  template: Uint8Array,
  payload: Payload,
  options = NO_OPTIONS,
): void {
  const encoding = typeof payload === 'string' ? PAYLOAD_TEXT : PAYLOAD_BYTES;
  const payloadAt = encodeEnqueueHead(body, fields, template, options, encoding);
  if (typeof payload === 'string') asBuffer(body.buffer).write(payload, payloadAt, fields.payloadBytes, 'utf8');
  else body.buffer.set(payload, payloadAt);
}

/** Whether two bodies, or the templates of their shapes, name one queue: both begin at `SHAPE_AT` of a body. */
function isOfQueue(body: Uint8Array, template: Uint8Array): boolean {
  const at = NAMES_AT - SHAPE_AT;
  const end = at + 1 + template[at]!;
  for (let index = at; index < end; index++) if (body[SHAPE_AT + index] !== template[index]) return false;
  return true;
}

/** A body as it would be if the job had been enqueued with the shape of this template, which differs in the queue at most. @throws RecordError */
export function bodyWithShape(body: Uint8Array, template: Uint8Array): Uint8Array {
  if (isOfQueue(body, template)) return body;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const optionsAt = namesEnd({ buffer: body, view, offset: 0, bodyBytes: body.length });
  const optionsWillBeAt = SHAPE_AT + template.length;
  const made = new Uint8Array(optionsWillBeAt + body.length - optionsAt);
  made.set(body.subarray(0, SHAPE_AT));
  made.set(template, SHAPE_AT);
  // What a template leaves to each job.
  made.set(body.subarray(PRIORITY_AT, PRIORITY_AT + 4), PRIORITY_AT);
  made.set(body.subarray(ENCODING_AT, ENCODING_AT + 2), ENCODING_AT);
  made.set(body.subarray(OPTIONS_BYTES_AT, OPTIONS_BYTES_AT + 2), OPTIONS_BYTES_AT);
  made.set(body.subarray(optionsAt), optionsWillBeAt);
  return made;
}

/** Offset in the buffer where the options begin, right behind the names. @throws RecordError */
export function namesEnd(body: RecordBody): number {
  const end = body.offset + body.bodyBytes;
  const queueAt = body.offset + NAMES_AT;
  if (queueAt + 2 > end) throw new RecordError('is shorter than its fields');
  const nameAt = queueAt + 1 + body.buffer[queueAt]!;
  if (nameAt >= end) throw new RecordError('is shorter than its fields');
  const optionsAt = nameAt + 1 + body.buffer[nameAt]!;
  if (optionsAt > end) throw new RecordError('is shorter than its fields');
  if (body.buffer[body.offset + BACKOFF_KIND_AT] !== BACKOFF_NAMED) return optionsAt;
  if (optionsAt === end) throw new RecordError('is shorter than its fields');
  const backoffEnd = optionsAt + 1 + body.buffer[optionsAt]!;
  if (backoffEnd > end) throw new RecordError('is shorter than its fields');
  return backoffEnd;
}

/** Reads all but the shape into `fields`. @throws RecordError */
export function decodeEnqueue(body: RecordBody, optionsAt: number, fields: EnqueueFields): void {
  const { view, offset } = body;
  fields.id = readU64(view, offset);
  fields.enqueuedAtMs = readU64(view, offset + 8);
  fields.runAtMs = readU64(view, offset + 16);
  fields.priority = view.getUint32(offset + PRIORITY_AT, true);
  const payloadAt = optionsEnd(body, optionsAt);
  fields.payloadBytes = offset + body.bodyBytes - payloadAt;
  fields.expiresAtMs = payloadAt === optionsAt ? 0 : readExpiry(body, optionsAt, payloadAt);
  if (payloadAt !== optionsAt) fields.dedupe = readDedupe(body, optionsAt, payloadAt);
  else if (fields.dedupe !== undefined) fields.dedupe = undefined;
}

/** The payload of an ENQUEUE record: a text, or a copy of the bytes. @throws RecordError */
export function decodePayload(body: RecordBody): Payload {
  const from = optionsEnd(body, namesEnd(body));
  const to = body.offset + body.bodyBytes;
  const encoding = body.buffer[body.offset + ENCODING_AT];
  if (encoding === PAYLOAD_TEXT)
    return asBuffer(body.buffer).toString(isAscii(body, from, to) ? 'latin1' : 'utf8', from, to);
  if (encoding === PAYLOAD_BYTES) return new Uint8Array(body.buffer.subarray(from, to));
  throw new RecordError(`has an unknown payload encoding ${encoding}`);
}

/** Then the text is read in half the time. */
function isAscii({ buffer, view }: RecordBody, from: number, to: number): boolean {
  let bits = 0;
  let at = from;
  for (const last = to - 4; at <= last; at += 4) bits |= view.getUint32(at);
  for (; at < to; at++) bits |= buffer[at]!;
  return (bits & 0x8080_8080) === 0;
}

/** What the job carries beside its payload, if anything. @throws RecordError */
export function decodeExtras(body: RecordBody): JobExtras | undefined {
  if (body.view.getUint16(body.offset + OPTIONS_BYTES_AT, true) === 0) return undefined;
  const optionsAt = namesEnd(body);
  return readExtras(body, optionsAt, optionsEnd(body, optionsAt));
}

/** The key that the job was enqueued with, if it has one. @throws RecordError */
export function decodeDedupe(body: RecordBody): KeyFields | undefined {
  const optionsAt = namesEnd(body);
  return readDedupe(body, optionsAt, optionsEnd(body, optionsAt));
}

/** From which job this one was cloned, if it was. @throws RecordError */
export function decodeCloneOrigin(body: RecordBody): CloneOrigin | undefined {
  const optionsAt = namesEnd(body);
  return readCloneOrigin(body, optionsAt, optionsEnd(body, optionsAt));
}

function optionsEnd(body: RecordBody, optionsAt: number): number {
  const end = optionsAt + body.view.getUint16(body.offset + OPTIONS_BYTES_AT, true);
  if (end > body.offset + body.bodyBytes) throw new RecordError('is shorter than its options');
  // Looks at all of them: none may be unknown.
  if (end > optionsAt) readExpiry(body, optionsAt, end);
  return end;
}
