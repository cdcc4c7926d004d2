import { LogVersionError } from '@holdfast/contract';
import { type LogRecord, type LogReplay, type SegmentFloors, SKIPPABLE } from '../log/log-record.js';
import { ACT_PARTS, type ActHead, type ActParts, decodeActHead, decodeActItem } from '../state/act-records.js';
import { decodeEnqueue, type EnqueueFields, namesEnd, SHAPE_AT } from '../state/enqueue-record.js';
import { decodeForgotten, decodeForgottenDead } from '../state/forgotten-record.js';
import { NONE } from '../state/job-columns.js';
import { STATE, STATES, stateName } from '../state/job-state.js';
import type { JobTable, MovedEnd } from '../state/job-table.js';
import {
  ACK_HEAD_BYTES,
  type AckItem,
  ATTEMPT_ITEM_BYTES,
  type AttemptItem,
  decodeAckItem,
  decodeAttemptHead,
  decodeAttemptItem,
} from '../state/lease-records.js';
import { type DecodedMove, decodeMove, moveHistory } from '../state/move-record.js';
import { decodeNote } from '../state/note-record.js';
import { decodePause, decodeResume } from '../state/pause-records.js';
import { BodyReader, RecordError } from '../state/record-body.js';
import { RECORD } from '../state/record-kinds.js';
import { decodeRemembered } from '../state/remembered-record.js';
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
    dedupe: undefined,
  };
  readonly #attempt: AttemptItem = { id: 0, token: 0, attempt: 0, previous: 0 };
  readonly #ack: AckItem = { id: 0, token: 0, previous: 0, result: undefined, resultBytes: 0 };

  /** Ids below it may be unknown: the segments that enqueued them are gone. */
  #retiredBelowId = 0;
  #segments = 0;
  /** Ids from here on were given out by no segment before. */
  #idFloor = 1;

  constructor(table: JobTable) {
    this.#table = table;
    table.waiting.leaveUnordered();
  }

  segment({ segmentNumber, idFloor, rankFloor }: SegmentFloors): void {
    if (this.#segments++ === 0 && segmentNumber > 1) this.#retiredBelowId = idFloor;
    this.#idFloor = Math.max(this.#idFloor, idFloor);
    this.#table.ranks.raise(rankFloor);
  }

  rankFloor(): number {
    return this.#table.ranks.floorMs;
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
      case RECORD.move:
        this.#applyMove(record);
        break;
      case RECORD.replace:
        this.#applyReplace(record);
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
        const slot = this.#slot(id);
        if (slot === NONE) table.tokens.raise(token);
        else table.retry(slot, token, runAtMs, atMs, record.location);
        break;
      }
      case RECORD.dead: {
        const { id, token, atMs, error } = decodeDead(record, true);
        const slot = this.#slot(id);
        if (slot === NONE) table.tokens.raise(token);
        else table.dead(slot, token, atMs, record.location, error);
        break;
      }
      case RECORD.withdraw: {
        const { id, token, atMs } = decodeDead(record, false);
        const slot = this.#slot(id);
        if (slot !== NONE) table.withdraw(slot, token, atMs, record.location);
        else {
          table.tokens.raise(token);
          table.ends.next(record.location);
        }
        break;
      }
      case RECORD.release: {
        const { id, token, runAtMs, atMs } = decodeRelease(record);
        const slot = this.#slot(id);
        if (slot === NONE) table.tokens.raise(token);
        else table.release(slot, token, runAtMs, atMs, record.location);
        break;
      }
      case RECORD.note: {
        const note = decodeNote(record);
        const slot = this.#slot(note.id);
        if (slot !== NONE) table.note(slot, note, record.location);
        break;
      }
      case RECORD.redrive: {
        const { id, atMs } = decodeRedrive(record);
        const slot = this.#slot(id);
        if (slot === NONE) table.ranks.raise(atMs);
        else table.redrive(slot, atMs, record.location);
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
        this.#eachOf(record, ACT_PARTS.cancel, (slot, { atMs }) => {
          if (slot === NONE) table.ends.next(location);
          else table.cancel(slot, atMs, location);
        });
        break;
      case RECORD.expire:
        this.#eachOf(record, ACT_PARTS.expire, (slot, { atMs }) => {
          if (slot === NONE) table.ends.next(location);
          else table.expire(slot, atMs, location);
        });
        break;
      case RECORD.runNow:
        this.#eachOf(record, ACT_PARTS.runNow, (slot, { atMs }) => {
          if (slot === NONE) table.ranks.raise(atMs);
          else table.runNow(slot, atMs, location);
        });
        break;
      case RECORD.reprioritise:
        this.#eachOf(record, ACT_PARTS.reprioritise, (slot, { priority }) => {
          if (slot !== NONE) table.reprioritise(slot, priority, location);
        });
        break;
      case RECORD.transfer:
        this.#eachOf(record, ACT_PARTS.transfer, (slot, { from, to }) => {
          if (slot !== NONE) table.transfer(slot, from, to, location);
        });
        break;
      case RECORD.remove:
        this.#removeEach(record);
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
      case RECORD.remembered: {
        const { requests, windows } = decodeRemembered(record, location);
        for (const request of requests) this.#table.requests.restore(request, location);
        for (const window of windows) this.#table.keys.restore(window, location);
        break;
      }
      case RECORD.forgotten: {
        const { queue, ...below } = decodeForgotten(record);
        this.#table.forgotten(queue, below, record);
        break;
      }
      case RECORD.forgottenDead: {
        const { queue, ...below } = decodeForgottenDead(record);
        this.#table.forgottenDead(queue, below, record);
        break;
      }
      default:
        if ((record.flags & SKIPPABLE) !== 0) break;
        throw new LogVersionError(
          fileAt(location),
          `it holds records of kind ${record.kind}, which this version does not know`,
        );
    }
  }

  /** One that came to an end may have been forgotten already, where fewer are kept now than were then. */
  #removeEach(record: LogRecord): void {
    const table = this.#table;
    const reader = new BodyReader(record);
    const { count } = decodeActHead(reader, ACT_PARTS.remove);
    for (let index = 0; index < count; index++) {
      const { id } = decodeActItem(reader, ACT_PARTS.remove);
      const slot = id < table.nextId ? table.ids.find(id) : this.#slot(id);
      if (slot !== NONE) table.remove(slot);
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

  #applyReplace(record: LogRecord): void {
    const table = this.#table;
    const optionsAt = namesEnd(record);
    const shapeAt = record.offset + SHAPE_AT;
    const shape = table.shapes.internBytes(record.buffer, shapeAt, optionsAt - shapeAt);
    decodeEnqueue(record, optionsAt, this.#enqueue);
    const slot = this.#slot(this.#enqueue.id);
    if (slot === NONE) table.recreateReplaced(this.#enqueue, shape, record.location, record.recordBytes);
    else table.replace(slot, this.#enqueue, shape, record.location, record.recordBytes);
  }

  #applyAttempt(record: LogRecord): void {
    const { atMs, leaseMs, worker, count, itemsAt } = decodeAttemptHead(record);
    const lease = { worker, atMs, leaseMs, deadlineMs: Number.POSITIVE_INFINITY };
    const item = this.#attempt;
    for (let index = 0; index < count; index++) {
      decodeAttemptItem(record.view, itemsAt + index * ATTEMPT_ITEM_BYTES, item);
      const slot = this.#slot(item.id);
      if (slot === NONE) this.#passToken(item);
      else this.#table.attempt(slot, item.token, item.attempt, record.location, lease);
    }
  }

  #applyAck(record: LogRecord): void {
    const reader = new BodyReader(record);
    const atMs = reader.u64();
    const count = reader.u32();
    for (let index = 0; index < count; index++) {
      decodeAckItem(reader, this.#ack, false);
      const slot = this.#slot(this.#ack.id);
      if (slot === NONE) this.#table.ends.next(record.location);
      else this.#table.ack(slot, this.#ack.token, atMs, record.location, this.#ack.resultBytes);
    }
    reader.end();
  }

  #applyMove(record: LogRecord): void {
    const table = this.#table;
    const move = decodeMove(record);
    if (move.state >= STATES) throw new RecordError(`moves a job in an unknown state ${move.state}`);
    const optionsAt = namesEnd(move.enqueue);
    decodeEnqueue(move.enqueue, optionsAt, this.#enqueue);
    const { id } = this.#enqueue;
    const slot = table.ids.find(id);
    if (slot !== NONE) {
      this.#requireAgreement(slot, id, move);
      table.relocate(slot, record.location, record.recordBytes);
      return;
    }
    // One that came to an end may have been forgotten already, where fewer are kept now than were then.
    const mayBeForgotten = move.state === STATE.completed || move.state === STATE.cancelled;
    if (!mayBeForgotten || id >= Math.max(table.nextId, this.#idFloor)) this.#slot(id);
    if (!move.mayExpire) this.#enqueue.expiresAtMs = 0;
    const shapeAt = move.enqueue.offset + SHAPE_AT;
    const shape = table.shapes.internBytes(record.buffer, shapeAt, optionsAt - shapeAt);
    table.recreate(this.#enqueue, shape, move, record.location, record.recordBytes, this.#end(record, move));
  }

  /** Of a job that is completed or dead: its ACK or DEAD is the newest in the history. */
  #end(record: LogRecord, move: DecodedMove): MovedEnd {
    if (move.state !== STATE.completed && move.state !== STATE.dead) return {};
    const [last] = moveHistory(record, move);
    if (last?.kind === RECORD.dead) return { error: decodeDead(last, true).error };
    if (last?.kind !== RECORD.ack) return {};
    const reader = new BodyReader(last);
    reader.skip(ACK_HEAD_BYTES);
    decodeAckItem(reader, this.#ack, false);
    return { resultBytes: this.#ack.resultBytes };
  }

  #passToken({ id, token }: AttemptItem): void {
    const { tokens } = this.#table;
    if (!tokens.isNew(token)) throw new RecordError(`leases job ${id} under a token that is not new`);
    tokens.raise(token);
  }

  /** A MOVE repeats what is known; one that says something else would bring back what is over. */
  #requireAgreement(slot: number, id: number, move: DecodedMove): void {
    const { columns } = this.#table;
    if (columns.state[slot] === STATE.scheduled && move.state === STATE.ready) this.#table.proveDue(slot);
    const state = columns.state[slot]!;
    const agrees =
      state === move.state &&
      columns.attemptsOf(slot) === move.attempts &&
      columns.runAtMs[slot] === move.runAtMs &&
      this.#table.tokenOf(slot) === move.token;
    if (agrees) return;
    throw new RecordError(
      `moves job ${id} as ${stateName(move.state)}, but it is ${stateName(state)} or differs otherwise`,
    );
  }

  /** NONE where the job may be unknown, because the segments that knew it were retired. */
  #slot(id: number): number {
    const slot = this.#table.ids.find(id);
    if (slot === NONE && id >= this.#retiredBelowId)
      throw new RecordError(`speaks of job ${id}, which no record before it enqueued`);
    return slot;
  }
}
