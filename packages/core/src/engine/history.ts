import type { Attempt, AttemptOutcome, JobError, LogLine, OperatorAct, Payload } from '@holdfast/contract';
import { LineAllowance } from '@holdfast/contract/rules';
import type { RecordSource } from '../log/log-record.js';
import { ACT_PARTS, type ActParts, decodeAct } from '../state/act-records.js';
import {
  type AckItem,
  ATTEMPT_ITEM_BYTES,
  type AttemptItem,
  decodeAckItem,
  decodeAttemptHead,
  decodeAttemptItem,
} from '../state/lease-records.js';
import { decodeMove, moveHistory } from '../state/move-record.js';
import { decodeNote } from '../state/note-record.js';
import { BodyReader, type RecordBody, RecordError, readU64 } from '../state/record-body.js';
import { CAUSE, type Cause, RECORD } from '../state/record-kinds.js';
import { decodeDead, decodeRedrive, decodeRelease, decodeRetry } from '../state/settle-records.js';
import { decodingAt } from './corrupt-record.js';

/** Everything that happened to a job after it was enqueued, oldest first. */
export interface JobHistory {
  readonly attempts: Attempt[];
  readonly acts: OperatorAct[];
  readonly result: Payload | undefined;
  /** Why the job is cancelled, if it is. */
  readonly cancelCause: 'operator' | 'expired' | 'handler';
}

/** A record of the log, or one inside a MOVE. */
export type HistoryRecord = RecordBody & { readonly kind: number };

/** Records read for one job: the latest ones of a job that was tried without end. */
const RECORDS_READ_MAX = 1000;

/** Acts whose records speak of many jobs. */
type OneOfMany = 'cancel' | 'runNow' | 'reprioritise' | 'transfer';

/** How an attempt ended; its beginning is the next record on the way back. */
interface End {
  readonly endedAtMs: number;
  readonly outcome: AttemptOutcome;
  readonly error?: JobError;
}

/** What was noted during an attempt. */
interface Notes {
  readonly told: number;
  readonly progress: string;
  readonly lines: readonly LogLine[];
}

/**
 * Follows the chain of a job's records backwards from its last one.
 * @throws LogCorruptError if a record of the chain is damaged
 */
export function readHistory(log: RecordSource, id: number, lastLocation: number): JobHistory {
  const walk = new HistoryWalk(id);
  let location = lastLocation;
  for (let read = 0; location !== 0 && read < RECORDS_READ_MAX; read++) location = stepAt(log, walk, location);
  return walk.history();
}

/** The last error in a chain; `undefined` if it names none among its latest records. */
export function readLastError(log: RecordSource, lastLocation: number, id: number): JobError | undefined {
  const walk = new HistoryWalk(id, 'withoutLines');
  let location = lastLocation;
  for (let read = 0; location !== 0 && read < LAST_ERROR_RECORDS_MAX; read++) {
    location = stepAt(log, walk, location);
    if (walk.lastError !== undefined) return walk.lastError;
  }
  return undefined;
}

/** A release may stand between a failure and now, and is preceded by its attempt. */
const LAST_ERROR_RECORDS_MAX = 16;

function stepAt(log: RecordSource, walk: HistoryWalk, location: number): number {
  const record = log.readRecord(location);
  return decodingAt(location, () => walk.step(record));
}

/** Takes in the history records of one job, newest first. */
export class HistoryWalk {
  lastError: JobError | undefined;
  readonly #id: number;
  readonly #attempts: Attempt[] = [];
  readonly #acts: OperatorAct[] = [];
  #result: Payload | undefined;
  #cancelCause: JobHistory['cancelCause'] = 'operator';
  #end: End | undefined;
  #notes: Notes | undefined;
  readonly #allowance: LineAllowance | undefined;

  constructor(id: number, of: 'whole' | 'withoutLines' = 'whole') {
    this.#id = id;
    this.#allowance = of === 'whole' ? new LineAllowance() : undefined;
  }

  history(): JobHistory {
    const attempts = this.#attempts.reverse();
    return { attempts, acts: this.#acts.reverse(), result: this.#result, cancelCause: this.#cancelCause };
  }

  /** Takes in one record. @returns the location of the one before it, or 0 */
  step(record: HistoryRecord): number {
    switch (record.kind) {
      case RECORD.attempt:
        return this.#begun(record);
      case RECORD.ack:
        return this.#acked(record);
      case RECORD.retry:
        return this.#failed(decodeRetry(record, true));
      case RECORD.dead:
        return this.#failed(decodeDead(record, true));
      case RECORD.withdraw:
        return this.#withdrawn(record);
      case RECORD.release:
        return this.#released(record);
      case RECORD.note:
        return this.#noted(record);
      case RECORD.redrive:
        return this.#redriven(record);
      case RECORD.move:
        return this.#moved(record);
      default:
        return this.#acted(record);
    }
  }

  #acted(record: HistoryRecord): number {
    switch (record.kind) {
      case RECORD.cancel: {
        const { atMs, previous } = this.#act('cancel', record);
        // Of the attempt that comes next on the way back, unless that had ended before.
        this.#end = { endedAtMs: atMs, outcome: 'cancelled' };
        return previous;
      }
      case RECORD.runNow:
        return this.#act('runNow', record).previous;
      case RECORD.reprioritise:
        return this.#act('reprioritise', record).previous;
      case RECORD.transfer:
        return this.#act('transfer', record).previous;
      case RECORD.expire:
        this.#cancelCause = 'expired';
        return this.#item(record, ACT_PARTS.expire).previous;
      default:
        throw new RecordError(`of kind ${record.kind} stands in the history of a job`);
    }
  }

  #act(act: OneOfMany, record: HistoryRecord): { atMs: number; previous: number } {
    const { atMs, actor, reason, priority, from, to, previous } = this.#item(record, ACT_PARTS[act]);
    const why = reason === '' ? {} : { reason };
    const number = act === 'reprioritise' ? { priority } : {};
    const queues = act === 'transfer' ? { fromQueue: from, toQueue: to } : {};
    this.#acts.push({ act, atMs, actor, ...why, ...number, ...queues });
    return { atMs, previous };
  }

  #item(record: HistoryRecord, parts: ActParts) {
    const { items, ...head } = decodeAct(record, parts);
    const item = items.find(({ id }) => id === this.#id);
    if (item === undefined) throw new RecordError(`does not speak of job ${this.#id}`);
    return { ...head, ...item };
  }

  /** What was before a MOVE is in it. */
  #moved(record: HistoryRecord): number {
    const move = decodeMove(record);
    this.#own(readU64(record.view, move.enqueue.offset));
    for (const entry of moveHistory(record, move)) {
      if (entry.kind === RECORD.move) throw new RecordError('holds a MOVE as history');
      this.step(entry);
    }
    return 0;
  }

  #begun(record: HistoryRecord): number {
    const { atMs, worker, count, itemsAt } = decodeAttemptHead(record);
    const item: AttemptItem = { id: 0, token: 0, attempt: 0, previous: 0 };
    for (let index = 0; index < count; index++) {
      decodeAttemptItem(record.view, itemsAt + index * ATTEMPT_ITEM_BYTES, item);
      if (item.id !== this.#id) continue;
      const end = this.#end ?? { outcome: 'running' as const };
      this.#attempts.push({ attempt: item.attempt, worker, startedAtMs: atMs, ...end, ...shownNotes(this.#notes) });
      this.#end = undefined;
      this.#notes = undefined;
      return item.previous;
    }
    throw new RecordError(`does not speak of job ${this.#id}`);
  }

  #acked(record: HistoryRecord): number {
    const reader = new BodyReader(record);
    const endedAtMs = reader.u64();
    const count = reader.u32();
    const item: AckItem = { id: 0, token: 0, previous: 0, result: undefined, resultBytes: 0 };
    for (let index = 0; index < count; index++) {
      decodeAckItem(reader, item, true);
      if (item.id !== this.#id) continue;
      this.#result = item.result;
      this.#end = { endedAtMs, outcome: 'completed' };
      return item.previous;
    }
    throw new RecordError(`does not speak of job ${this.#id}`);
  }

  #failed(fields: { id: number; atMs: number; previous: number; cause: Cause; error: JobError }): number {
    this.#own(fields.id);
    this.lastError ??= fields.error;
    this.#end = { endedAtMs: fields.atMs, outcome: outcomeOf(fields.cause), error: fields.error };
    return fields.previous;
  }

  #withdrawn(record: HistoryRecord): number {
    const { id, atMs, previous, error } = decodeDead(record, true);
    this.#own(id);
    this.#cancelCause = 'handler';
    this.#end = { endedAtMs: atMs, outcome: 'cancelled', error };
    return previous;
  }

  #released(record: HistoryRecord): number {
    const { id, atMs, previous } = decodeRelease(record);
    this.#own(id);
    this.#end = { endedAtMs: atMs, outcome: 'released' };
    return previous;
  }

  /** On to the note with the lines before these, if any of them are still wanted: all notes of an attempt have the same `previous`. */
  #noted(record: HistoryRecord): number {
    const { id, previous, earlier, told, progress, lines } = decodeNote(record);
    this.#own(id);
    const kept = this.#allowance?.take(lines) ?? [];
    const after = this.#notes ?? { told, progress, lines: [] };
    this.#notes = { ...after, lines: [...kept, ...after.lines] };
    const isEnough = this.#allowance?.isUsedUp ?? true;
    return earlier === 0 || isEnough ? previous : earlier;
  }

  #redriven(record: HistoryRecord): number {
    const { id, atMs, previous, actor, reason } = decodeRedrive(record);
    this.#own(id);
    this.#acts.push({ act: 'redrive', atMs, actor, ...(reason === '' ? {} : { reason }) });
    return previous;
  }

  #own(id: number): void {
    if (id !== this.#id) throw new RecordError(`speaks of job ${id}, not of job ${this.#id}`);
  }
}

function outcomeOf(cause: Cause): AttemptOutcome {
  if (cause === CAUSE.leaseExpired) return 'leaseExpired';
  return cause === CAUSE.processEnded ? 'processEnded' : 'failed';
}

function shownNotes(notes: Notes | undefined): Pick<Attempt, 'progress' | 'lines' | 'droppedLines'> {
  if (notes === undefined) return {};
  const { told, progress, lines } = notes;
  return {
    ...(progress === '' ? {} : { progress }),
    ...(lines.length === 0 ? {} : { lines }),
    ...(told > lines.length ? { droppedLines: told - lines.length } : {}),
  };
}
