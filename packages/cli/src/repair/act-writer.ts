import type { LogRecord } from '@holdfast/core/log';
import {
  ACT_PARTS,
  type ActHead,
  actBodyBytes,
  actBytes,
  decodeAct,
  decodePause,
  decodeResume,
  EVENT,
  encodeActHead,
  encodeActItem,
  type JobTable,
  NONE,
  queueBytes,
  RECORD,
  refuses,
} from '@holdfast/core/records';
import { leftOut } from './damaged-record.js';
import type { Loss } from './loss.js';
import type { RecordSink } from './record-sink.js';

type ActKind = keyof typeof ACT_PARTS;

const KINDS = new Map<number, ActKind>([
  [RECORD.cancel, 'cancel'],
  [RECORD.runNow, 'runNow'],
  [RECORD.reprioritise, 'reprioritise'],
  [RECORD.transfer, 'transfer'],
  [RECORD.remove, 'remove'],
  [RECORD.expire, 'expire'],
]);

/** Writes anew what was done to jobs and queues from outside. What no longer fits a job, since a record of it is lost, is left out. */
export class ActWriter {
  readonly #table: JobTable;
  readonly #sink: RecordSink;
  readonly #loss: Loss;

  constructor(table: JobTable, sink: RecordSink, loss: Loss) {
    this.#table = table;
    this.#sink = sink;
    this.#loss = loss;
  }

  /** @returns when it was, or `undefined` for a record that is none of these. @throws RecordError */
  record(record: LogRecord): number | undefined {
    const kind = KINDS.get(record.kind);
    if (kind !== undefined) return this.#act(record, kind);
    if (record.kind === RECORD.pause) return this.#pause(record);
    if (record.kind === RECORD.resume) return this.#resume(record);
    return undefined;
  }

  #act(record: LogRecord, kind: ActKind): number {
    const { items, ...head } = decodeAct(record, ACT_PARTS[kind]);
    const slots = items.map(({ id }) => this.#fitting(record, kind, id)).filter((slot) => slot !== NONE);
    if (kind === 'transfer') this.#transfer(head, slots);
    else if (slots.length > 0) this.#write(kind, head, slots);
    return head.atMs;
  }

  #fitting(record: LogRecord, kind: ActKind, id: number): number {
    const { ids, columns, expiries } = this.#table;
    const slot = ids.find(id);
    if (slot === NONE) {
      const wasWaiting = kind === 'runNow' || kind === 'reprioritise' || kind === 'transfer';
      this.#loss.unknownJob(id, wasWaiting ? 'waiting' : 'completed');
      return NONE;
    }
    if (!refuses(columns.state[slot]!, EVENT[kind]) && (kind !== 'expire' || expiries.has(slot))) return slot;
    this.#loss.leftOut.push(leftOut(record, `the record says ${kind} of job ${id}, which is not in a state for that`));
    return NONE;
  }

  /** Each from where it is: a job whose earlier TRANSFER is lost is in another queue than the record says. */
  #transfer(head: ActHead, slots: readonly number[]): void {
    const queueOf = (slot: number) => this.#table.shapeOf(slot).queue;
    for (const from of new Set(slots.map(queueOf))) {
      const there = slots.filter((slot) => queueOf(slot) === from);
      if (from !== head.to) this.#write('transfer', { ...head, from }, there);
    }
  }

  #write(kind: ActKind, head: ActHead, slots: readonly number[]): void {
    const table = this.#table;
    const parts = ACT_PARTS[kind];
    const act = actBytes(head.actor, head.reason);
    const queues = queueBytes(head.from, head.to);
    const made = this.#sink.reserve(RECORD[kind], actBodyBytes(parts, act, slots.length, queues), 0);
    const { location } = made;
    const writer = encodeActHead(made, parts, { ...head, count: slots.length }, act, queues);
    for (const slot of slots) encodeActItem(writer, parts, table.columns.id[slot]!, table.columns.history[slot]!);
    for (const slot of slots) {
      if (kind === 'reprioritise') table.reprioritise(slot, head.priority, location);
      else if (kind === 'transfer') table.transfer(slot, head.from, head.to, location);
      else if (kind === 'remove') table.remove(slot);
      else table[kind](slot, head.atMs, location);
    }
  }

  #pause(record: LogRecord): number {
    const { atMs, queue, ...pause } = decodePause(record);
    const { location, recordBytes } = this.#copy(record);
    this.#table.pauses.pause(queue, { ...pause, location, recordBytes });
    return atMs;
  }

  #resume(record: LogRecord): number {
    const { atMs, queue } = decodeResume(record);
    this.#copy(record);
    this.#table.pauses.resume(queue);
    return atMs;
  }

  #copy({ kind, flags, buffer, offset, bodyBytes }: LogRecord): LogRecord {
    const made = this.#sink.reserve(kind, bodyBytes, flags);
    made.buffer.set(buffer.subarray(offset, offset + bodyBytes), made.offset);
    return made;
  }
}
