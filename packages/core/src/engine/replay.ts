import { LogVersionError } from '@holdfast/contract';
import { type LogRecord, type LogReplay, SKIPPABLE } from '../log/log-record.js';
import { ACT_PARTS, type ActHead, type ActParts, decodeActHead, decodeActItem } from '../state/act-records.js';
import { decodeEnqueue, type EnqueueFields, namesEnd, SHAPE_AT } from '../state/enqueue-record.js';
import { NONE } from '../state/job-columns.js';
import type { JobTable } from '../state/job-table.js';
import {
  type AckItem,
  ATTEMPT_ITEM_BYTES,
  type AttemptItem,
  decodeAckItem,
  decodeAttemptHead,
  decodeAttemptItem,
} from '../state/lease-records.js';
import { decodePause, decodeResume } from '../state/pause-records.js';
import { BodyReader, RecordError } from '../state/record-body.js';
import { RECORD } from '../state/record-kinds.js';
import { decodeDead, decodeRedrive, decodeRelease, decodeRetry } from '../state/settle-records.js';
import { decodingAt, fileAt } from './corrupt-record.js';

/** Leads the records of a log through the same calls that the live path makes. */
export class Replay implements LogReplay {
  readonly #table: JobTable;
  readonly #enqueue: EnqueueFields = {
    id: 0,
    enqueuedAtMs: 0,
    runAtMs: 0,
    priority: 0,
    payloadBytes: 0,
    expiresAtMs: 0,
  };
  readonly #attempt: AttemptItem = { id: 0, token: 0, attempt: 0, previous: 0 };
  readonly #ack: AckItem = { id: 0, token: 0, previous: 0, result: undefined };

  constructor(table: JobTable) {
    this.#table = table;
  }

  nextId(): number {
    return this.#table.nextId;
  }

  /** @throws LogCorruptError for a record that makes no sense, LogVersionError for one of a kind to come. */
  record(record: LogRecord): void {
    decodingAt(record.location, () => this.#apply(record));
  }

  #apply(record: LogRecord): void {
    switch (record.kind) {
      case RECORD.enqueue:
        this.#applyEnqueue(record);
        break;
      case RECORD.attempt:
        this.#applyAttempt(record);
        break;
      case RECORD.ack:
        this.#applyAck(record);
        break;
      default:
        this.#applyOne(record);
    }
  }

  /** Records that speak of one job. */
  #applyOne(record: LogRecord): void {
    const table = this.#table;
    switch (record.kind) {
      case RECORD.retry: {
        const { id, token, runAtMs, atMs } = decodeRetry(record, false);
        table.retry(this.#slot(id), token, runAtMs, atMs, record.location);
        break;
      }
      case RECORD.dead: {
        const { id, token, atMs } = decodeDead(record, false);
        table.dead(this.#slot(id), token, atMs, record.location);
        break;
      }
      case RECORD.release: {
        const { id, token, runAtMs, atMs } = decodeRelease(record);
        table.release(this.#slot(id), token, runAtMs, atMs, record.location);
        break;
      }
      case RECORD.redrive: {
        const { id, atMs } = decodeRedrive(record);
        table.redrive(this.#slot(id), atMs, record.location);
        break;
      }
      default:
        this.#applyAct(record);
    }
  }

  /** Records of what was done to jobs from outside. */
  #applyAct(record: LogRecord): void {
    const table = this.#table;
    const { location } = record;
    switch (record.kind) {
      case RECORD.cancel:
        this.#eachOf(record, ACT_PARTS.cancel, (slot, { atMs }) => table.cancel(slot, atMs, location));
        break;
      case RECORD.expire:
        this.#eachOf(record, ACT_PARTS.expire, (slot, { atMs }) => table.expire(slot, atMs, location));
        break;
      case RECORD.runNow:
        this.#eachOf(record, ACT_PARTS.runNow, (slot, { atMs }) => table.runNow(slot, atMs, location));
        break;
      case RECORD.reprioritise:
        this.#eachOf(record, ACT_PARTS.reprioritise, (slot, { priority }) =>
          table.reprioritise(slot, priority, location),
        );
        break;
      case RECORD.remove:
        this.#eachOf(record, ACT_PARTS.remove, (slot) => table.remove(slot));
        break;
      default:
        this.#applyToQueue(record);
    }
  }

  #applyToQueue(record: LogRecord): void {
    const { pauses } = this.#table;
    const { location, recordBytes } = record;
    switch (record.kind) {
      case RECORD.pause: {
        const { queue, sinceMs, untilMs, actor, reason } = decodePause(record);
        pauses.pause(queue, { sinceMs, untilMs, actor, reason, location, recordBytes });
        break;
      }
      case RECORD.resume:
        pauses.resume(decodeResume(record).queue);
        break;
      default:
        if ((record.flags & SKIPPABLE) !== 0) break;
        throw new LogVersionError(
          fileAt(location),
          `it holds records of kind ${record.kind}, which this version does not know`,
        );
    }
  }

  #eachOf(record: LogRecord, parts: ActParts, apply: (slot: number, head: ActHead) => void): void {
    const reader = new BodyReader(record);
    const head = decodeActHead(reader, parts);
    for (let index = 0; index < head.count; index++) apply(this.#slot(decodeActItem(reader, parts).id), head);
  }

  #applyEnqueue(record: LogRecord): void {
    const table = this.#table;
    const optionsAt = namesEnd(record);
    const shapeAt = record.offset + SHAPE_AT;
    const shape = table.shapes.internBytes(record.buffer, shapeAt, optionsAt - shapeAt);
    decodeEnqueue(record, optionsAt, this.#enqueue);
    table.publish(table.enqueue(this.#enqueue, shape, record.location, record.recordBytes));
  }

  #applyAttempt(record: LogRecord): void {
    const { atMs, leaseMs, worker, count, itemsAt } = decodeAttemptHead(record);
    const lease = { worker, atMs, leaseMs, deadlineMs: Number.POSITIVE_INFINITY };
    const item = this.#attempt;
    for (let index = 0; index < count; index++) {
      decodeAttemptItem(record.view, itemsAt + index * ATTEMPT_ITEM_BYTES, item);
      this.#table.attempt(this.#slot(item.id), item.token, item.attempt, record.location, lease);
    }
  }

  #applyAck(record: LogRecord): void {
    const reader = new BodyReader(record);
    const atMs = reader.u64();
    const count = reader.u32();
    for (let index = 0; index < count; index++) {
      decodeAckItem(reader, this.#ack, false);
      this.#table.ack(this.#slot(this.#ack.id), this.#ack.token, atMs, record.location);
    }
    reader.end();
  }

  #slot(id: number): number {
    const slot = this.#table.ids.find(id);
    if (slot === NONE) throw new RecordError(`speaks of job ${id}, which no record before it enqueued`);
    return slot;
  }
}
