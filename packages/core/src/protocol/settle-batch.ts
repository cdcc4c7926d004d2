import type { JobError, Payload, SettleAnswer } from '@holdfast/contract';
import type { CheckedNote } from '@holdfast/contract/rules';
import type { EngineAck, EngineExtend, EngineFail, EngineNote, EngineRelease } from '../engine/engine-calls.js';
import { invariant } from '../invariant.js';
import type {
  AckBatch,
  ExtendBatch,
  FailBatch,
  LeaseColumns,
  NoteBatch,
  ReleaseBatch,
  SettledBatch,
} from './job-calls.js';
import { DoubleColumn } from './number-columns.js';
import { PayloadColumnReader, PayloadColumnWriter } from './payload-column.js';

/** Bytes that one settled lease costs the engine, roughly. */
const LEASE_WEIGHT = 64;

/** Collects the leases that many calls of one kind speak of. */
abstract class LeaseBatchWriter {
  readonly #ids = new DoubleColumn();
  readonly #tokens = new DoubleColumn();
  #extraWeight = 0;

  get count(): number {
    return this.#ids.count;
  }

  get weight(): number {
    return this.#ids.count * LEASE_WEIGHT + this.#extraWeight;
  }

  /** Forgets the items from `count` on. @param weight of those before them */
  cutTo(count: number, weight: number): void {
    this.#ids.cutTo(count);
    this.#tokens.cutTo(count);
    this.#extraWeight = weight - count * LEASE_WEIGHT;
  }

  protected addLease(id: number, token: number, extraWeight = 0): void {
    this.#ids.push(id);
    this.#tokens.push(token);
    this.#extraWeight += extraWeight;
  }

  protected takeLeases(): LeaseColumns {
    this.#extraWeight = 0;
    return { ids: this.#ids.take(), tokens: this.#tokens.take() };
  }
}

export class AckBatchWriter extends LeaseBatchWriter {
  readonly #results = new PayloadColumnWriter();
  #someResults = false;

  add(id: number, token: number, result: Payload | undefined): void {
    this.addLease(id, token, result?.length);
    this.#results.add(result);
    if (result !== undefined) this.#someResults = true;
  }

  override cutTo(count: number, weight: number): void {
    super.cutTo(count, weight);
    this.#results.cutTo(count);
  }

  take(): AckBatch {
    const results = this.#results.take();
    const batch = this.#someResults ? { ...this.takeLeases(), results } : this.takeLeases();
    this.#someResults = false;
    return batch;
  }
}

export class FailBatchWriter extends LeaseBatchWriter {
  #errors: JobError[] = [];
  #thens: EngineFail['then'][] = [];

  add(id: number, token: number, error: JobError, next: EngineFail['then']): void {
    this.addLease(id, token, error.message.length + (error.stack?.length ?? 0));
    this.#errors.push(error);
    this.#thens.push(next);
  }

  override cutTo(count: number, weight: number): void {
    super.cutTo(count, weight);
    this.#errors.length = count;
    this.#thens.length = count;
  }

  take(): FailBatch {
    const batch = { ...this.takeLeases(), errors: this.#errors, thens: this.#thens };
    this.#errors = [];
    this.#thens = [];
    return batch;
  }
}

export class ReleaseBatchWriter extends LeaseBatchWriter {
  #delaysMs: number[] = [];

  add(id: number, token: number, delayMs: number): void {
    this.addLease(id, token);
    this.#delaysMs.push(delayMs);
  }

  override cutTo(count: number, weight: number): void {
    super.cutTo(count, weight);
    this.#delaysMs.length = count;
  }

  take(): ReleaseBatch {
    const delaysMs = this.#delaysMs;
    this.#delaysMs = [];
    const leases = this.takeLeases();
    return delaysMs.some((delayMs) => delayMs > 0) ? { ...leases, delaysMs: Float64Array.from(delaysMs) } : leases;
  }
}

export class ExtendBatchWriter extends LeaseBatchWriter {
  #leasesMs: number[] = [];

  add(id: number, token: number, leaseMs: number): void {
    this.addLease(id, token);
    this.#leasesMs.push(leaseMs);
  }

  override cutTo(count: number, weight: number): void {
    super.cutTo(count, weight);
    this.#leasesMs.length = count;
  }

  take(): ExtendBatch {
    const batch = { ...this.takeLeases(), leasesMs: Float64Array.from(this.#leasesMs) };
    this.#leasesMs = [];
    return batch;
  }
}

export class NoteBatchWriter extends LeaseBatchWriter {
  #notes: CheckedNote[] = [];

  add(id: number, token: number, note: CheckedNote): void {
    const lines = note.lines.reduce((sum, { text }) => sum + text.length, 0);
    this.addLease(id, token, lines + (note.progress?.length ?? 0));
    this.#notes.push(note);
  }

  override cutTo(count: number, weight: number): void {
    super.cutTo(count, weight);
    this.#notes.length = count;
  }

  take(): NoteBatch {
    const batch = { ...this.takeLeases(), notes: this.#notes };
    this.#notes = [];
    return batch;
  }
}

export function readAckBatch(batch: AckBatch): EngineAck[] {
  const results = batch.results === undefined ? undefined : new PayloadColumnReader(batch.results);
  return eachLease(batch, (id, token) => ({ id, token, result: results?.next() }));
}

export function readFailBatch(batch: FailBatch): EngineFail[] {
  return eachLease(batch, (id, token, index) => {
    const error = batch.errors[index];
    const next = batch.thens[index];
    invariant(error !== undefined && next !== undefined, 'every failed attempt has its error and what comes next');
    // biome-ignore lint/suspicious/noThenProperty: the contract's word; never awaited
    return { id, token, error, then: next };
  });
}

export function readReleaseBatch(batch: ReleaseBatch): EngineRelease[] {
  return eachLease(batch, (id, token, index) => ({ id, token, delayMs: batch.delaysMs?.[index] }));
}

export function readExtendBatch(batch: ExtendBatch): EngineExtend[] {
  return eachLease(batch, (id, token, index) => ({ id, token, leaseMs: batch.leasesMs[index]! }));
}

export function readNoteBatch(batch: NoteBatch): EngineNote[] {
  return eachLease(batch, (id, token, index) => ({ id, token, note: batch.notes[index]! }));
}

function eachLease<Item>(batch: LeaseColumns, read: (id: number, token: number, index: number) => Item): Item[] {
  const items: Item[] = [];
  for (let index = 0; index < batch.ids.length; index++) {
    items.push(read(batch.ids[index]!, batch.tokens[index]!, index));
  }
  return items;
}

/** By code. */
const SETTLE_ANSWERS: readonly SettleAnswer[] = ['ok', 'stale', 'missing', 'cancelled'];

export function writeSettled(answers: readonly SettleAnswer[]): SettledBatch {
  if (answers.every((answer) => answer === 'ok')) return {};
  return { codes: Uint8Array.from(answers, (answer) => SETTLE_ANSWERS.indexOf(answer)) };
}

export function settleAnswerAt(batch: SettledBatch, index: number): SettleAnswer {
  return SETTLE_ANSWERS[batch.codes?.[index] ?? 0] ?? 'missing';
}
