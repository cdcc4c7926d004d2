import type { LogRecord } from '@holdfast/core/log';
import {
  ACK_HEAD_BYTES,
  actBytes,
  attemptBodyBytes,
  CAUSE,
  deadBodyBytes,
  type EnqueueFields,
  encodeAckHead,
  encodeAttemptHead,
  encodeAttemptItem,
  encodeDead,
  encodeNote,
  encodeRedrive,
  encodeRetry,
  errorBytes,
  type Forgotten,
  type ForgottenDead,
  type JobTable,
  type MoveFields,
  type NoteFields,
  noteBodyBytes,
  noteContents,
  RECORD,
  type Remembered,
  redriveBodyBytes,
  retryBodyBytes,
  type Shape,
} from '@holdfast/core/records';
import type { RecordSink } from './record-sink.js';

/** Where `previous` is in an item of ACK. */
const ACK_PREVIOUS_AT = 16;
/** How a lease ended is unknown: this stands in the history instead of an error. */
const UNKNOWN_END = errorBytes({
  class: 'HistoryLost',
  message: 'How this attempt ended was written in a part of the log that was damaged and could not be repaired.',
});
const UNKNOWN_WORKER = new TextEncoder().encode('unknown (history lost)');
const REPAIR_ACT = actBytes('holdfast repair', 'The record of this redrive was lost with a damaged part of the log.');

export interface LeasedItem {
  readonly slot: number;
  readonly id: number;
  readonly token: number;
}

export interface AckedItem {
  readonly slot: number;
  readonly token: number;
  /** The item as it was written. */
  readonly bytes: Uint8Array;
}

export interface AttemptFacts {
  readonly atMs: number;
  readonly leaseMs: number;
  readonly worker: Uint8Array;
}

/**
 * Writes records and applies each to a table of jobs, as the engine will when it opens the log, so that the table always says what was
 * written. Whoever calls has made sure that the table takes the record. `previous` is set anew, because records move.
 */
export class AppliedRecords {
  readonly #sink: RecordSink;
  readonly #table: JobTable;
  readonly #worker = new TextDecoder();

  constructor(sink: RecordSink, table: JobTable) {
    this.#sink = sink;
    this.#table = table;
  }

  enqueue(record: LogRecord, fields: EnqueueFields, shape: Shape): void {
    const made = this.#copy(record);
    this.#table.publish(this.#table.enqueue(fields, shape, made.location, made.recordBytes));
  }

  /** Of a job that the table does not hold. */
  move(record: LogRecord, fields: EnqueueFields, shape: Shape, moved: MoveFields): void {
    const made = this.#copy(record);
    this.#table.recreate(fields, shape, moved, made.location, made.recordBytes);
  }

  forgotten(record: LogRecord, queue: string, forgotten: Forgotten): void {
    this.#table.forgotten(queue, forgotten, this.#copy(record));
  }

  replace(record: LogRecord, slot: number, fields: EnqueueFields, shape: Shape): void {
    const made = this.#copy(record);
    this.#table.replace(slot, fields, shape, made.location, made.recordBytes);
  }

  /** Of a job that the table does not hold. */
  recreateReplaced(record: LogRecord, fields: EnqueueFields, shape: Shape): void {
    const made = this.#copy(record);
    this.#table.recreateReplaced(fields, shape, made.location, made.recordBytes);
  }

  remembered(record: LogRecord, { requests, windows }: Remembered): void {
    const { location } = this.#copy(record);
    for (const request of requests) this.#table.requests.restore(request, location);
    for (const window of windows) this.#table.keys.restore(window, location);
  }

  forgottenDead(record: LogRecord, queue: string, forgotten: ForgottenDead): void {
    this.#table.forgottenDead(queue, forgotten, this.#copy(record));
  }

  attempts({ atMs, leaseMs, worker }: AttemptFacts, items: readonly LeasedItem[]): void {
    const { columns } = this.#table;
    const made = this.#sink.reserve(RECORD.attempt, attemptBodyBytes(worker, items.length), 0);
    let at = encodeAttemptHead(made, atMs, leaseMs, worker, items.length);
    for (const { slot, id, token } of items) {
      const attempt = columns.attemptsOf(slot) + 1;
      at = encodeAttemptItem(made.view, at, id, token, attempt, columns.history[slot]!);
    }
    const lease = { worker: this.#worker.decode(worker), atMs, leaseMs, deadlineMs: Number.POSITIVE_INFINITY };
    for (const { slot, token } of items) {
      this.#table.attempt(slot, token, columns.attemptsOf(slot) + 1, made.location, lease);
    }
  }

  /** An attempt whose record is lost. */
  unknownAttempt(item: LeasedItem, atMs: number): void {
    this.attempts({ atMs, leaseMs: 0, worker: UNKNOWN_WORKER }, [item]);
  }

  acks(atMs: number, items: readonly AckedItem[]): void {
    const bytes = items.reduce((sum, item) => sum + item.bytes.length, ACK_HEAD_BYTES);
    const made = this.#sink.reserve(RECORD.ack, bytes, 0);
    let at = encodeAckHead(made, atMs, items.length);
    for (const item of items) {
      made.buffer.set(item.bytes, at);
      made.view.setBigUint64(at + ACK_PREVIOUS_AT, BigInt(this.#table.columns.history[item.slot]!), true);
      at += item.bytes.length;
    }
    for (const { slot, token } of items) this.#table.ack(slot, token, atMs, made.location);
  }

  retry(record: LogRecord, slot: number, token: number, atMs: number, runAtMs: number): void {
    this.#table.retry(slot, token, runAtMs, atMs, this.#copyAfter(record, slot, 24).location);
  }

  dead(record: LogRecord, slot: number, token: number, atMs: number): void {
    this.#table.dead(slot, token, atMs, this.#copyAfter(record, slot, 24).location);
  }

  withdraw(record: LogRecord, slot: number, token: number, atMs: number): void {
    this.#table.withdraw(slot, token, atMs, this.#copyAfter(record, slot, 24).location);
  }

  release(record: LogRecord, slot: number, token: number, atMs: number, runAtMs: number): void {
    this.#table.release(slot, token, runAtMs, atMs, this.#copyAfter(record, slot, 24).location);
  }

  /** Lines before it that are lost are counted as not kept. */
  note(slot: number, read: NoteFields): void {
    const { columns, leases } = this.#table;
    const before = leases.notes(columns.position[slot]!);
    const fields = { ...read, previous: before?.previous ?? columns.history[slot]!, earlier: before?.linesAt ?? 0 };
    const contents = noteContents(fields);
    const made = this.#sink.reserve(RECORD.note, noteBodyBytes(contents), 0);
    encodeNote(made, contents);
    this.#table.note(slot, fields, made.location);
  }

  redrive(record: LogRecord, slot: number, atMs: number): void {
    this.#table.redrive(slot, atMs, this.#copyAfter(record, slot, 16).location);
  }

  /** The lease ended in a way that is not known, and the job went on. */
  unknownRetry(slot: number, atMs: number): void {
    const fields = { ...this.#lease(slot, atMs), runAtMs: atMs, cause: CAUSE.failed };
    const made = this.#sink.reserve(RECORD.retry, retryBodyBytes(UNKNOWN_END), 0);
    encodeRetry(made, fields, UNKNOWN_END);
    this.#table.retry(slot, fields.token, atMs, atMs, made.location);
  }

  /** The lease was the last before an operator redrove the job. */
  unknownDeath(slot: number, atMs: number): void {
    const fields = { ...this.#lease(slot, atMs), cause: CAUSE.failed };
    const made = this.#sink.reserve(RECORD.dead, deadBodyBytes(UNKNOWN_END), 0);
    encodeDead(made, fields, UNKNOWN_END);
    this.#table.dead(slot, fields.token, atMs, made.location);
  }

  unknownRedrive(slot: number, atMs: number): void {
    const { id, history } = this.#table.columns;
    const fields = { atMs, id: id[slot]!, previous: history[slot]! };
    const made = this.#sink.reserve(RECORD.redrive, redriveBodyBytes(REPAIR_ACT), 0);
    encodeRedrive(made, fields, REPAIR_ACT);
    this.#table.redrive(slot, atMs, made.location);
  }

  #lease(slot: number, atMs: number) {
    const { id, history } = this.#table.columns;
    return { atMs, id: id[slot]!, token: this.#table.tokenOf(slot), previous: history[slot]! };
  }

  #copyAfter(record: LogRecord, slot: number, previousAt: number): LogRecord {
    const made = this.#copy(record);
    const previous = BigInt(this.#table.columns.history[slot]!);
    made.view.setBigUint64(made.offset + previousAt, previous, true);
    return made;
  }

  #copy({ kind, flags, buffer, offset, bodyBytes }: LogRecord): LogRecord {
    const made = this.#sink.reserve(kind, bodyBytes, flags);
    made.buffer.set(buffer.subarray(offset, offset + bodyBytes), made.offset);
    return made;
  }
}
