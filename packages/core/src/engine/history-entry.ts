import { LineAllowance } from '@holdfast/contract/rules';
import type { SegmentedLog } from '../log/segmented-log.js';
import {
  ACT_PARTS,
  type ActParts,
  actBodyBytes,
  actBytes,
  decodeAct,
  encodeActHead,
  encodeActItem,
  queueBytes,
} from '../state/act-records.js';
import { STATE } from '../state/job-state.js';
import { ACK_HEAD_BYTES, ATTEMPT_ITEM_BYTES, decodeAckItem, decodeAttemptHead } from '../state/lease-records.js';
import { decodeMove, type HistoryEntry, moveHistory } from '../state/move-record.js';
import { decodeNote, encodeNote, noteBodyBytes, noteContents } from '../state/note-record.js';
import { BodyReader, type RecordBody, readU64 } from '../state/record-body.js';
import { RECORD } from '../state/record-kinds.js';
import { decodeRelease } from '../state/settle-records.js';
import { decodingAt } from './corrupt-record.js';
import { type HistoryRecord, HistoryWalk } from './history.js';

/** Records that speak of many jobs alike. */
const ACT_PARTS_OF: Readonly<Record<number, ActParts>> = {
  [RECORD.cancel]: ACT_PARTS.cancel,
  [RECORD.runNow]: ACT_PARTS.runNow,
  [RECORD.reprioritise]: ACT_PARTS.reprioritise,
  [RECORD.transfer]: ACT_PARTS.transfer,
  [RECORD.expire]: ACT_PARTS.expire,
};

export const ENTRIES_MAX = 100;
/** Of all entries but the newest, which may hold a result. */
export const ENTRIES_BYTES_MAX = 256 * 1024;

/** What the records say of a job that waits or is ready; that it has become due is not recorded. */
export interface Recorded {
  readonly waits: boolean;
  readonly atMs: number;
}

export interface CollectedHistory {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly cut: boolean;
  /** Absent where no record says it. */
  readonly recorded: Recorded | undefined;
}

/**
 * Gathers a job's history for its MOVE, each record for this job alone. The checksum of every record that is read is compared.
 * @throws LogCorruptError if one is damaged
 */
export function collectHistory(
  log: Pick<SegmentedLog, 'readRecord'>,
  id: number,
  lastLocation: number,
): CollectedHistory {
  const bundle = new Bundle();
  const walk = new HistoryWalk(id);
  let recorded: Recorded | undefined;
  let location = lastLocation;
  while (location !== 0) {
    const record = log.readRecord(location);
    location = decodingAt(location, () => {
      recorded ??= recordedBy(record);
      if (record.kind === RECORD.move) return bundle.addAll(record);
      return bundle.add(record.kind, bodyFor(record, id)) ? walk.step(record) : 0;
    });
  }
  return { entries: bundle.entries, cut: bundle.cut, recorded };
}

class Bundle {
  readonly entries: HistoryEntry[] = [];
  cut = false;
  #bytes = 0;
  readonly #allowance = new LineAllowance();

  /** @returns whether it was taken in */
  add(kind: number, given: Uint8Array): boolean {
    const body = kind === RECORD.note ? this.#noteWith(given) : given;
    // Nothing stands between two notes of one attempt: they become one.
    if (kind === RECORD.note && this.entries.at(-1)?.kind === kind) this.entries.pop();
    if (this.entries.length > 0) this.#bytes += body.length;
    this.cut = this.entries.length === ENTRIES_MAX || this.#bytes > ENTRIES_BYTES_MAX;
    if (!this.cut) this.entries.push({ kind, body });
    return !this.cut;
  }

  /** A note with as many of its lines as are kept of a job, before those of the note that follows it in the same attempt. */
  #noteWith(given: Uint8Array): Uint8Array {
    const note = decodeNote(bodyIn(given));
    const last = this.entries.at(-1);
    const after = last?.kind === RECORD.note ? decodeNote(bodyIn(last.body)) : { ...note, lines: [] };
    const lines = [...this.#allowance.take(note.lines), ...after.lines];
    const contents = noteContents({ ...after, earlier: 0, lines });
    const body = new Uint8Array(noteBodyBytes(contents));
    encodeNote(bodyIn(body), contents);
    return body;
  }

  /** The history of a MOVE, which is all there is. */
  addAll(record: HistoryRecord): 0 {
    const move = decodeMove(record);
    for (const { kind, buffer, offset, bodyBytes } of moveHistory(record, move)) {
      if (!this.add(kind, buffer.slice(offset, offset + bodyBytes))) return 0;
    }
    this.cut = move.historyCut;
    return 0;
  }
}

function bodyIn(buffer: Uint8Array): RecordBody {
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength);
  return { buffer, view, offset: 0, bodyBytes: buffer.length };
}

/** The body of a record that speaks of one job; of one that speaks of many, a body for this job alone. */
function bodyFor(record: HistoryRecord, id: number): Uint8Array {
  const { buffer, offset, bodyBytes } = record;
  if (record.kind === RECORD.attempt) return attemptFor(record, id);
  if (record.kind === RECORD.ack) return ackFor(record, id);
  const parts = ACT_PARTS_OF[record.kind];
  if (parts !== undefined) return actFor(record, parts, id);
  return buffer.slice(offset, offset + bodyBytes);
}

function attemptFor(record: HistoryRecord, id: number): Uint8Array {
  const { count, itemsAt } = decodeAttemptHead(record);
  let at = itemsAt;
  for (let index = 0; index < count - 1 && readU64(record.view, at) !== id; index++) at += ATTEMPT_ITEM_BYTES;
  return alone(record, itemsAt - record.offset, at - record.offset, ATTEMPT_ITEM_BYTES);
}

function ackFor(record: HistoryRecord, id: number): Uint8Array {
  const item = { id: 0, token: 0, previous: 0, result: undefined, resultBytes: 0 };
  const reader = new BodyReader(record);
  reader.skip(ACK_HEAD_BYTES);
  let from = 0;
  while (item.id !== id) {
    from = record.bodyBytes - reader.left;
    decodeAckItem(reader, item, false);
  }
  return alone(record, ACK_HEAD_BYTES, from, record.bodyBytes - reader.left - from);
}

function actFor(record: HistoryRecord, parts: ActParts, id: number): Uint8Array {
  const { actor, reason, from, to, ...fields } = decodeAct(record, parts);
  const act = actBytes(actor, reason);
  const queues = queueBytes(from, to);
  const buffer = new Uint8Array(actBodyBytes(parts, act, 1, queues));
  encodeActItem(encodeActHead(bodyIn(buffer), parts, { ...fields, count: 1 }, act, queues), parts, id, 0);
  return buffer;
}

/** Head and one item; the count of items is the last field of the head. */
function alone({ buffer, offset }: HistoryRecord, headBytes: number, itemAt: number, itemBytes: number): Uint8Array {
  const body = new Uint8Array(headBytes + itemBytes);
  body.set(buffer.subarray(offset, offset + headBytes));
  new DataView(body.buffer).setUint32(headBytes - 4, 1, true);
  body.set(buffer.subarray(offset + itemAt, offset + itemAt + itemBytes), headBytes);
  return body;
}

/** `undefined` for a record that says nothing about when its job may start. */
function recordedBy(record: HistoryRecord): Recorded | undefined {
  const { kind, view, offset } = record;
  if (kind === RECORD.retry) return { waits: true, atMs: readU64(view, offset) };
  if (kind === RECORD.redrive || kind === RECORD.runNow) return { waits: false, atMs: readU64(view, offset) };
  if (kind === RECORD.release) {
    const { atMs, runAtMs } = decodeRelease(record);
    return { waits: runAtMs > atMs, atMs };
  }
  if (kind !== RECORD.move) return undefined;
  const { state, updatedAtMs } = decodeMove(record);
  return { waits: state === STATE.scheduled, atMs: updatedAtMs };
}
