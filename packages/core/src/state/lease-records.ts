import type { Payload } from '@holdfast/contract';
import { payloadLength } from './enqueue-record.js';
import { asBuffer, type BodyReader, type RecordBody, RecordError, readU64, writeU64 } from './record-body.js';

/*
 * ATTEMPT  atMs u64 · leaseMs u32 · worker str8 · count u32 · count × (id u64 · token u64 · attempt u32 · previous u64)
 * ACK      atMs u64 · count u32 · count × (id u64 · token u64 · previous u64 · resultEncoding u8 · resultBytes u32 · result)
 */
const ATTEMPT_HEAD_BYTES = 8 + 4 + 1 + 4;
export const ATTEMPT_ITEM_BYTES = 28;
export const ACK_HEAD_BYTES = 12;
export const ACK_ITEM_BYTES = 29;

const RESULT_NONE = 0;
const RESULT_TEXT = 1;
const RESULT_BYTES = 2;

export function attemptBodyBytes(worker: Uint8Array, count: number): number {
  return ATTEMPT_HEAD_BYTES + worker.length + count * ATTEMPT_ITEM_BYTES;
}

/** @returns the offset of the first item */
export function encodeAttemptHead(
  body: RecordBody,
  atMs: number,
  leaseMs: number,
  worker: Uint8Array,
  count: number,
): number {
  const { view, offset } = body;
  writeU64(view, offset, atMs);
  view.setUint32(offset + 8, leaseMs, true);
  view.setUint8(offset + 12, worker.length);
  body.buffer.set(worker, offset + 13);
  view.setUint32(offset + 13 + worker.length, count, true);
  return offset + ATTEMPT_HEAD_BYTES + worker.length;
}

/** @returns the offset of the next item */
export function encodeAttemptItem(
  view: DataView,
  at: number,
  id: number,
  token: number,
  attempt: number,
  previous: number,
): number {
  writeU64(view, at, id);
  writeU64(view, at + 8, token);
  view.setUint32(at + 16, attempt, true);
  writeU64(view, at + 20, previous);
  return at + ATTEMPT_ITEM_BYTES;
}

export interface AttemptHead {
  readonly atMs: number;
  readonly leaseMs: number;
  readonly worker: string;
  readonly count: number;
  /** Where the first item is in the buffer; the others follow every ATTEMPT_ITEM_BYTES. */
  readonly itemsAt: number;
}

/** @throws RecordError */
export function decodeAttemptHead(body: RecordBody): AttemptHead {
  const { view, offset, bodyBytes } = body;
  if (bodyBytes < ATTEMPT_HEAD_BYTES) throw new RecordError('is shorter than its fields');
  const workerBytes = view.getUint8(offset + 12);
  if (bodyBytes < ATTEMPT_HEAD_BYTES + workerBytes) throw new RecordError('is shorter than its fields');
  const count = view.getUint32(offset + 13 + workerBytes, true);
  const itemsAt = offset + ATTEMPT_HEAD_BYTES + workerBytes;
  if (itemsAt + count * ATTEMPT_ITEM_BYTES !== offset + bodyBytes) {
    throw new RecordError(`says that it holds ${count} attempts, but its length does not fit`);
  }
  const worker = workerText(body.buffer, offset + 13, workerBytes);
  return { atMs: readU64(view, offset), leaseMs: view.getUint32(offset + 8, true), worker, count, itemsAt };
}

export interface AttemptItem {
  id: number;
  token: number;
  attempt: number;
  previous: number;
}

export function decodeAttemptItem(view: DataView, at: number, item: AttemptItem): void {
  item.id = readU64(view, at);
  item.token = readU64(view, at + 8);
  item.attempt = view.getUint32(at + 16, true);
  item.previous = readU64(view, at + 20);
}

export function ackItemBytes(result: Payload | undefined): number {
  return ACK_ITEM_BYTES + (result === undefined ? 0 : payloadLength(result));
}

export function encodeAckHead(body: RecordBody, atMs: number, count: number): number {
  writeU64(body.view, body.offset, atMs);
  body.view.setUint32(body.offset + 8, count, true);
  return body.offset + ACK_HEAD_BYTES;
}

/** @returns the offset of the next item */
export function encodeAckItem(
  body: RecordBody,
  at: number,
  id: number,
  token: number,
  previous: number,
  result: Payload | undefined,
): number {
  const { view } = body;
  writeU64(view, at, id);
  writeU64(view, at + 8, token);
  writeU64(view, at + 16, previous);
  const resultAt = at + ACK_ITEM_BYTES;
  if (result === undefined) {
    view.setUint8(at + 24, RESULT_NONE);
    view.setUint32(at + 25, 0, true);
    return resultAt;
  }
  const bytes = payloadLength(result);
  view.setUint8(at + 24, typeof result === 'string' ? RESULT_TEXT : RESULT_BYTES);
  view.setUint32(at + 25, bytes, true);
  if (typeof result === 'string') asBuffer(body.buffer).write(result, resultAt, bytes, 'utf8');
  else body.buffer.set(result, resultAt);
  return resultAt + bytes;
}

export interface AckItem {
  id: number;
  token: number;
  previous: number;
  result: Payload | undefined;
  resultBytes: number;
}

/** Reads one item; with `withResult` false its result is passed over. @throws RecordError */
export function decodeAckItem(reader: BodyReader, item: AckItem, withResult: boolean): void {
  item.id = reader.u64();
  item.token = reader.u64();
  item.previous = reader.u64();
  item.result = undefined;
  const encoding = reader.u8();
  const bytes = reader.u32();
  item.resultBytes = bytes;
  if (encoding > RESULT_BYTES) throw new RecordError(`has an unknown result encoding ${encoding}`);
  if (!withResult || encoding === RESULT_NONE) reader.skip(bytes);
  else item.result = encoding === RESULT_TEXT ? reader.text(bytes) : reader.bytes(bytes);
}

let lastWorkerBytes: Uint8Array = new Uint8Array(0);
let lastWorker = '';

/** One worker leases many batches: its name is decoded once and then compared. */
function workerText(buffer: Uint8Array, at: number, bytes: number): string {
  let same = bytes === lastWorkerBytes.length;
  for (let index = 0; same && index < bytes; index++) same = buffer[at + index] === lastWorkerBytes[index];
  if (!same) {
    lastWorkerBytes = buffer.slice(at, at + bytes);
    lastWorker = asBuffer(buffer).toString('utf8', at, at + bytes);
  }
  return lastWorker;
}
