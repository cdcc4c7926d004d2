import { BodyReader, BodyWriter, type RecordBody, RecordError } from './record-body.js';

/*
 * MOVE
 *   0 headBytes u16 · 2 state u8 · 3 flags u8 · 4 attempts u32 · 8 runAtMs u64 · 16 rankAtMs u64 · 24 updatedAtMs u64
 *  32 priority u32 · 36 enqueueBytes u32 · 40 historyCount u32 · 44 leaseMs u32
 *  48 token u64 · 56 leasedAtMs u64 · 64 endedOrder u64 · 72 worker str8
 *  headBytes: ENQUEUE body · historyCount × (kind u8 · bodyBytes u32 · body)
 */
const FIXED_HEAD_BYTES = 73;
const ENTRY_HEAD_BYTES = 5;
const HISTORY_CUT = 1;
const MAY_EXPIRE = 2;
const TAKES_KEY = 4;

/** What may have changed since the job was enqueued. */
export interface MoveFields {
  readonly state: number;
  readonly attempts: number;
  readonly runAtMs: number;
  readonly rankAtMs: number;
  readonly updatedAtMs: number;
  readonly priority: number;
  /** Of the live lease, or of the ack that completed the job; else 0. */
  readonly token: number;
  readonly leasedAtMs: number;
  readonly leaseMs: number;
  readonly worker: string;
  /** Place of a completed or cancelled job among the others of its queue; else 0. */
  readonly endedOrder: number;
  /** Older history records were left out. */
  readonly historyCut: boolean;
  /** The expiry of the ENQUEUE still stands. */
  readonly mayExpire: boolean;
  /** It takes the key of the ENQUEUE. */
  readonly takesKey: boolean;
}

/** One history record of one job, without its header. */
export interface HistoryEntry {
  readonly kind: number;
  readonly body: Uint8Array;
}

export interface MoveContents {
  readonly fields: MoveFields;
  /** The worker's name as it is stored. */
  readonly worker: Uint8Array;
  /** The body of the job's ENQUEUE. */
  readonly enqueue: Uint8Array;
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
}

export interface DecodedMove extends MoveFields {
  /** The body of the ENQUEUE where it lies in the record. */
  readonly enqueue: RecordBody;
  readonly historyCount: number;
  /** Where the entries begin in the buffer. */
  readonly historyAt: number;
}

export function moveBodyBytes({ worker, enqueue, history }: MoveContents): number {
  const entries = history.reduce((sum, { body }) => sum + ENTRY_HEAD_BYTES + body.length, 0);
  return FIXED_HEAD_BYTES + worker.length + enqueue.length + entries;
}

export function encodeMove(body: RecordBody, { fields, worker, enqueue, history }: MoveContents): void {
  const headBytes = FIXED_HEAD_BYTES + worker.length;
  const writer = new BodyWriter(body)
    .u8(headBytes & 0xff)
    .u8(headBytes >>> 8)
    .u8(fields.state)
    .u8((fields.historyCut ? HISTORY_CUT : 0) | (fields.mayExpire ? MAY_EXPIRE : 0) | (fields.takesKey ? TAKES_KEY : 0))
    .u32(fields.attempts)
    .u64(fields.runAtMs)
    .u64(fields.rankAtMs)
    .u64(fields.updatedAtMs)
    .u32(fields.priority)
    .u32(enqueue.length)
    .u32(history.length)
    .u32(fields.leaseMs)
    .u64(fields.token)
    .u64(fields.leasedAtMs)
    .u64(fields.endedOrder)
    .str8(worker)
    .bytes(enqueue);
  for (const { kind, body: entry } of history) writer.u8(kind).u32(entry.length).bytes(entry);
}

/** Reads the head; the history is checked only when it is read. @throws RecordError */
export function decodeMove(body: RecordBody): DecodedMove {
  const reader = new BodyReader(body);
  const headBytes = reader.u16();
  const state = reader.u8();
  const flags = reader.u8();
  const historyCut = (flags & HISTORY_CUT) !== 0;
  const mayExpire = (flags & MAY_EXPIRE) !== 0;
  const takesKey = (flags & TAKES_KEY) !== 0;
  const attempts = reader.u32();
  const runAtMs = reader.u64();
  const rankAtMs = reader.u64();
  const updatedAtMs = reader.u64();
  const priority = reader.u32();
  const enqueueBytes = reader.u32();
  const historyCount = reader.u32();
  const lease = { leaseMs: reader.u32(), token: reader.u64(), leasedAtMs: reader.u64() };
  const endedOrder = reader.u64();
  const worker = reader.str8();
  // What a later version may have added to the head.
  reader.skip(checkedLength(headBytes - (body.bodyBytes - reader.left)));
  reader.skip(enqueueBytes);
  const enqueueAt = body.offset + headBytes;
  const { buffer, view } = body;
  return {
    ...{
      state,
      historyCut,
      mayExpire,
      takesKey,
      attempts,
      runAtMs,
      rankAtMs,
      updatedAtMs,
      priority,
      endedOrder,
      worker,
    },
    ...lease,
    enqueue: { buffer, view, offset: enqueueAt, bodyBytes: enqueueBytes },
    historyCount,
    historyAt: enqueueAt + enqueueBytes,
  };
}

/** The history inside a MOVE, newest first, each where it lies in the record. @throws RecordError */
export function moveHistory(body: RecordBody, move: DecodedMove): (RecordBody & { readonly kind: number })[] {
  const { buffer, view } = body;
  const reader = new BodyReader({ ...body, offset: move.historyAt, bodyBytes: endOf(body) - move.historyAt });
  const entries: (RecordBody & { readonly kind: number })[] = [];
  for (let index = 0; index < move.historyCount; index++) {
    const kind = reader.u8();
    const bodyBytes = reader.u32();
    const offset = endOf(body) - reader.left;
    reader.skip(bodyBytes);
    entries.push({ kind, buffer, view, offset, bodyBytes });
  }
  reader.end();
  return entries;
}

function endOf({ offset, bodyBytes }: RecordBody): number {
  return offset + bodyBytes;
}

function checkedLength(bytes: number): number {
  if (bytes < 0) throw new RecordError('has a head that is shorter than its fields');
  return bytes;
}
