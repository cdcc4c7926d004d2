import type { LogRecord } from '@holdfast/core/log';
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
  decodeMove,
  decodeRelease,
  decodeRetry,
  namesEnd,
  RECORD,
  STATE,
} from '@holdfast/core/records';
import { decoding } from './damaged-record.js';

/** A lease that a record ends, while the record that began it is lost. */
export interface OrphanedLease {
  readonly token: number;
  readonly id: number;
}

/**
 * First reading of what is left of a log: the leases whose beginning is lost. A later reading writes them anew in the order of their
 * tokens, so that what ended them keeps its place in the history.
 */
export class LeaseSurvey {
  /** The token of each open lease by its job's number. */
  readonly #open = new Map<number, number>();
  readonly #orphans: OrphanedLease[] = [];
  readonly #attempt: AttemptItem = { id: 0, token: 0, attempt: 0, previous: 0 };
  readonly #ack: AckItem = { id: 0, token: 0, previous: 0, result: undefined, resultBytes: 0 };
  readonly #enqueue = { id: 0, enqueuedAtMs: 0, runAtMs: 0, priority: 0, payloadBytes: 0, expiresAtMs: 0 };
  #lastId = 0;

  record(record: LogRecord): void {
    decoding(
      () => this.#read(record),
      () => {},
    );
  }

  /** By token. */
  get orphans(): readonly OrphanedLease[] {
    return this.#orphans.toSorted((a, b) => a.token - b.token);
  }

  /** The largest id that was given out, as far as records tell. */
  get lastId(): number {
    return this.#lastId;
  }

  #read(record: LogRecord): void {
    switch (record.kind) {
      case RECORD.enqueue:
        decodeEnqueue(record, namesEnd(record), this.#enqueue);
        this.#note(this.#enqueue.id);
        break;
      case RECORD.attempt:
        this.#readAttempt(record);
        break;
      case RECORD.ack:
        this.#readAck(record);
        break;
      case RECORD.retry:
        this.#ends(decodeRetry(record, false));
        break;
      case RECORD.dead:
      case RECORD.withdraw:
        this.#ends(decodeDead(record, false));
        break;
      case RECORD.release:
        this.#ends(decodeRelease(record));
        break;
      case RECORD.move:
        this.#readMove(record);
    }
  }

  /** A lease that it holds began in a segment that may be gone. */
  #readMove(record: LogRecord): void {
    const { enqueue, state, token } = decodeMove(record);
    decodeEnqueue(enqueue, namesEnd(enqueue), this.#enqueue);
    this.#note(this.#enqueue.id);
    if (state === STATE.leased) this.#open.set(this.#enqueue.id, token);
  }

  #readAttempt(record: LogRecord): void {
    const { count, itemsAt } = decodeAttemptHead(record);
    for (let index = 0; index < count; index++) {
      decodeAttemptItem(record.view, itemsAt + index * ATTEMPT_ITEM_BYTES, this.#attempt);
      const { id, token } = this.#attempt;
      this.#note(id);
      this.#open.set(id, token);
    }
  }

  #readAck(record: LogRecord): void {
    const reader = new BodyReader(record);
    reader.skip(8);
    const count = reader.u32();
    for (let index = 0; index < count; index++) {
      decodeAckItem(reader, this.#ack, false);
      this.#ends(this.#ack);
    }
  }

  #ends({ id, token }: OrphanedLease): void {
    this.#note(id);
    if (this.#open.get(id) === token) this.#open.delete(id);
    else this.#orphans.push({ token, id });
  }

  #note(id: number): void {
    if (id > this.#lastId) this.#lastId = id;
  }
}
