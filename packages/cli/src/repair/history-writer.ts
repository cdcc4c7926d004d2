import { LogVersionError } from '@holdfast/contract';
import { type LogRecord, locationSegment, SKIPPABLE, segmentName } from '@holdfast/core/log';
import {
  type AckItem,
  ATTEMPT_ITEM_BYTES,
  type AttemptItem,
  BodyReader,
  decodeAckItem,
  decodeAttemptHead,
  decodeAttemptItem,
  decodeDead,
  decodeEnqueue,
  decodeForgotten,
  decodeForgottenDead,
  decodeMove,
  decodeNote,
  decodeRedrive,
  decodeRelease,
  decodeRemembered,
  decodeRetry,
  EVENT,
  type JobTable,
  NONE,
  namesEnd,
  RECORD,
  RecordError,
  refuses,
  SHAPE_AT,
  STATE,
  stateName,
} from '@holdfast/core/records';
import { ActWriter } from './act-writer.js';
import { type AckedItem, AppliedRecords, type AttemptFacts, type LeasedItem } from './applied-records.js';
import { decoding, leftOut } from './damaged-record.js';
import type { OrphanedLease } from './lease-survey.js';
import type { LastKnown, Loss } from './loss.js';
import type { RecordSink } from './record-sink.js';

const WORKER_AT = 13;

/**
 * Second reading of what is left of a log: writes each record anew, so that together they are a history that the engine takes. Where a
 * record is lost that others rest on, the least that must have happened is written in its place, and noted:
 *  - an attempt that something ended, when the ATTEMPT is lost;
 *  - an end of unknown cause, when a job was leased again without one;
 *  - a death or a redrive, when the job went on as if it had been.
 * Records of a job whose ENQUEUE is lost cannot be kept.
 */
export class HistoryWriter {
  readonly #table: JobTable;
  readonly #write: AppliedRecords;
  readonly #acts: ActWriter;
  readonly #loss: Loss;
  readonly #orphans: readonly OrphanedLease[];
  #nextOrphan = 0;
  /** All tokens written so far are at most this. */
  #lastToken = 0;
  /** Of the attempts that were read, also of those that could not be kept. */
  readonly read = { attempts: 0, lastToken: 0 };
  #lastAtMs = 0;

  constructor(table: JobTable, sink: RecordSink, loss: Loss, orphans: readonly OrphanedLease[]) {
    this.#table = table;
    this.#write = new AppliedRecords(sink, table);
    this.#acts = new ActWriter(table, sink, loss);
    this.#loss = loss;
    this.#orphans = orphans;
  }

  /** Leases without a beginning whose token lies between these. */
  orphansBetween(after: number, before: number): number {
    return this.#orphans.filter(({ token }) => token > after && token < before).length;
  }

  record(record: LogRecord): void {
    const write = this.#writers[record.kind] ?? ((other: LogRecord) => this.#actOrUnknown(other));
    decoding(
      () => write(record),
      (problem) => this.#loss.leftOut.push(leftOut(record, problem)),
    );
  }

  /** By kind. Those that are missing here are acts, or unknown to this version. */
  readonly #writers: Readonly<Record<number, (record: LogRecord) => void>> = {
    [RECORD.enqueue]: (record) => this.#enqueue(record),
    [RECORD.attempt]: (record) => this.#attempt(record),
    [RECORD.ack]: (record) => this.#ack(record),
    [RECORD.retry]: (record) => {
      const { id, token, atMs, runAtMs } = decodeRetry(record, false);
      const slot = this.#leased(record, { id, token }, atMs, 'waiting');
      if (slot !== NONE) this.#write.retry(record, slot, token, atMs, runAtMs);
    },
    [RECORD.dead]: (record) => {
      const { id, token, atMs } = decodeDead(record, false);
      const slot = this.#leased(record, { id, token }, atMs, 'dead');
      if (slot !== NONE) this.#write.dead(record, slot, token, atMs);
    },
    [RECORD.withdraw]: (record) => {
      const { id, token, atMs } = decodeDead(record, false);
      const slot = this.#leased(record, { id, token }, atMs, 'completed');
      if (slot !== NONE) this.#write.withdraw(record, slot, token, atMs);
    },
    [RECORD.release]: (record) => {
      const { id, token, atMs, runAtMs } = decodeRelease(record);
      const slot = this.#leased(record, { id, token }, atMs, 'waiting');
      if (slot !== NONE) this.#write.release(record, slot, token, atMs, runAtMs);
    },
    [RECORD.note]: (record) => {
      const note = decodeNote(record);
      const slot = this.#leased(record, note, note.atMs, 'leased');
      if (slot !== NONE) this.#write.note(slot, note);
    },
    [RECORD.redrive]: (record) => this.#redrive(record),
    [RECORD.replace]: (record) => this.#replace(record),
    [RECORD.move]: (record) => this.#move(record),
    [RECORD.remembered]: (record) => this.#write.remembered(record, decodeRemembered(record, record.location)),
    [RECORD.forgotten]: (record) => {
      const { queue, ...forgotten } = decodeForgotten(record);
      this.#write.forgotten(record, queue, forgotten);
    },
    [RECORD.forgottenDead]: (record) => {
      const { queue, ...forgotten } = decodeForgottenDead(record);
      this.#write.forgottenDead(record, queue, forgotten);
    },
  };

  /** What is said of a job that is known was written already; of another one it is all that is needed. */
  #move(record: LogRecord): void {
    const table = this.#table;
    const move = decodeMove(record);
    const optionsAt = namesEnd(move.enqueue);
    const shapeAt = move.enqueue.offset + SHAPE_AT;
    const fields = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
    decodeEnqueue(move.enqueue, optionsAt, fields);
    const slot = table.ids.find(fields.id);
    if (slot === NONE) {
      if (!move.mayExpire) fields.expiresAtMs = 0;
      const shape = table.shapes.internBytes(record.buffer, shapeAt, optionsAt - shapeAt);
      this.#write.move(record, fields, shape, move);
      this.#lastToken = Math.max(this.#lastToken, move.token);
    } else if (!isSameState(this.#stateOf(slot), move.state)) {
      const problem = `the record moves job ${fields.id} as ${stateName(move.state)}, but records before it are lost`;
      this.#loss.leftOut.push(leftOut(record, problem));
    }
  }

  #enqueue(record: LogRecord): void {
    const table = this.#table;
    const optionsAt = namesEnd(record);
    const shapeAt = record.offset + SHAPE_AT;
    const fields = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
    decodeEnqueue(record, optionsAt, fields);
    const shape = table.shapes.internBytes(record.buffer, shapeAt, optionsAt - shapeAt);
    if (fields.id < table.nextId) throw new RecordError(`enqueues the id ${fields.id} again`);
    this.#write.enqueue(record, fields, shape);
    this.#lastAtMs = fields.enqueuedAtMs;
  }

  /** Says everything about its job, also where the records before it are lost. One that ended meanwhile, as far as is known, does not come back. */
  #replace(record: LogRecord): void {
    const table = this.#table;
    const optionsAt = namesEnd(record);
    const shapeAt = record.offset + SHAPE_AT;
    const fields = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
    decodeEnqueue(record, optionsAt, fields);
    this.#lastAtMs = fields.enqueuedAtMs;
    const shape = table.shapes.internBytes(record.buffer, shapeAt, optionsAt - shapeAt);
    const slot = table.ids.find(fields.id);
    if (slot === NONE) {
      this.#write.recreateReplaced(record, fields, shape);
    } else if (refuses(table.columns.state[slot]!, EVENT.replace)) {
      const problem = `the record replaces job ${fields.id}, which is ${stateName(table.columns.state[slot]!)}: records before it are lost`;
      this.#loss.leftOut.push(leftOut(record, problem));
    } else {
      this.#write.replace(record, slot, fields, shape);
    }
  }

  #attempt(record: LogRecord): void {
    const { atMs, leaseMs, count, itemsAt } = decodeAttemptHead(record);
    this.#lastAtMs = atMs;
    const worker = record.buffer.slice(record.offset + WORKER_AT, itemsAt - 4);
    const facts = { atMs, leaseMs, worker };
    const item: AttemptItem = { id: 0, token: 0, attempt: 0, previous: 0 };
    let leased: LeasedItem[] = [];
    for (let index = 0; index < count; index++) {
      decodeAttemptItem(record.view, itemsAt + index * ATTEMPT_ITEM_BYTES, item);
      this.read.attempts++;
      this.read.lastToken = item.token;
      if (this.#hasOrphanBefore(item.token)) leased = this.#writeAttempts(facts, leased);
      this.#adoptOrphansBefore(item.token);
      const slot = this.#claimable(item);
      if (slot === NONE || leased.some((other) => other.slot === slot)) continue;
      leased.push({ slot, id: item.id, token: item.token });
      this.#lastToken = item.token;
      this.#compareAttempt(slot, item);
    }
    this.#writeAttempts(facts, leased);
  }

  #writeAttempts(facts: AttemptFacts, leased: readonly LeasedItem[]): LeasedItem[] {
    if (leased.length > 0) this.#write.attempts(facts, leased);
    return [];
  }

  #compareAttempt(slot: number, { id, attempt: written }: AttemptItem): void {
    const counted = this.#table.columns.attemptsOf(slot) + 1;
    if (counted === written) this.#loss.attemptCounts.delete(id);
    else this.#loss.attemptCounts.set(id, { id, written, counted });
  }

  #ack(record: LogRecord): void {
    const reader = new BodyReader(record);
    const atMs = reader.u64();
    const count = reader.u32();
    const end = record.offset + record.bodyBytes;
    const item: AckItem = { id: 0, token: 0, previous: 0, result: undefined, resultBytes: 0 };
    const acked = new Map<number, AckedItem>();
    for (let index = 0; index < count; index++) {
      const from = end - reader.left;
      decodeAckItem(reader, item, false);
      const slot = this.#leased(record, item, atMs, 'completed');
      const bytes = record.buffer.subarray(from, end - reader.left);
      if (slot !== NONE) acked.set(slot, { slot, token: item.token, bytes });
    }
    if (acked.size > 0) this.#write.acks(atMs, [...acked.values()]);
  }

  #redrive(record: LogRecord): void {
    const { id, atMs } = decodeRedrive(record);
    this.#lastAtMs = atMs;
    const slot = this.#find(id, 'waiting');
    if (slot === NONE) return;
    if (this.#stateOf(slot) === STATE.leased) {
      this.#write.unknownDeath(slot, atMs);
      this.#loss.historyGaps.push({ id, what: 'death' });
    }
    if (this.#stateOf(slot) === STATE.dead) this.#write.redrive(record, slot, atMs);
    else
      this.#loss.leftOut.push(
        leftOut(record, `the record redrives job ${id}, whose death is lost; it is waiting already`),
      );
  }

  /** The slot of a job that a record leases, ready for that; NONE if it cannot be. */
  #claimable({ id, token }: OrphanedLease): number {
    const slot = this.#find(id, 'leased');
    if (slot === NONE) return NONE;
    if (token <= this.#lastToken || this.#stateOf(slot) === STATE.completed) return NONE;
    if (this.#stateOf(slot) === STATE.leased) {
      this.#write.unknownRetry(slot, this.#lastAtMs);
      this.#loss.historyGaps.push({ id, what: 'end of an attempt' });
    }
    if (this.#stateOf(slot) === STATE.dead) {
      this.#write.unknownRedrive(slot, this.#lastAtMs);
      this.#loss.historyGaps.push({ id, what: 'redrive' });
    }
    return slot;
  }

  /** The slot of the job whose lease a record ends; NONE if there is no such lease. */
  #leased(record: LogRecord, { id, token }: OrphanedLease, atMs: number, then: LastKnown): number {
    this.#lastAtMs = atMs;
    this.#adoptOrphansBefore(token + 1);
    const slot = this.#find(id, then);
    if (slot === NONE) return NONE;
    if (this.#stateOf(slot) === STATE.leased && this.#table.tokenOf(slot) === token) return slot;
    this.#loss.leftOut.push(leftOut(record, `the record ends a lease of job ${id} that is not its last one`));
    return NONE;
  }

  #hasOrphanBefore(token: number): boolean {
    return (this.#orphans[this.#nextOrphan]?.token ?? token) < token;
  }

  #adoptOrphansBefore(token: number): void {
    while (this.#hasOrphanBefore(token)) {
      const orphan = this.#orphans[this.#nextOrphan++];
      const slot = orphan === undefined ? NONE : this.#table.ids.find(orphan.id);
      // A job without its ENQUEUE is noted by the record that ends the lease.
      if (orphan === undefined || slot === NONE || this.#claimable(orphan) === NONE) continue;
      this.#write.unknownAttempt({ slot, ...orphan }, this.#lastAtMs);
      this.#lastToken = orphan.token;
      this.#loss.historyGaps.push({ id: orphan.id, what: 'start of an attempt' });
    }
  }

  #find(id: number, lastKnown: LastKnown): number {
    const slot = this.#table.ids.find(id);
    if (slot === NONE) this.#loss.unknownJob(id, lastKnown);
    return slot;
  }

  #stateOf(slot: number): number {
    return this.#table.columns.state[slot]!;
  }

  #actOrUnknown(record: LogRecord): void {
    const atMs = this.#acts.record(record);
    if (atMs === undefined) this.#unknownKind(record);
    else this.#lastAtMs = atMs;
  }

  #unknownKind({ kind, flags, location }: LogRecord): void {
    if ((flags & SKIPPABLE) === 0) {
      const file = segmentName(locationSegment(location));
      throw new LogVersionError(file, `it holds records of kind ${kind}, which this version does not know`);
    }
    this.#loss.skipped.records++;
  }
}

/** That a job which waits has become due is not recorded. */
function isSameState(one: number, other: number): boolean {
  const waits = (state: number) => state === STATE.ready || state === STATE.scheduled;
  return one === other || (waits(one) && waits(other));
}
