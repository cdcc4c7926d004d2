import type { AckItem, ExtendItem, FailItem, LeaseRef, NoteItem, ReleaseItem, SettleAnswer } from '@holdfast/contract';
import {
  checkAck,
  checkedMs,
  checkedNote,
  checkedThen,
  checkItems,
  checkLease,
  checkResult,
  shortened,
} from '@holdfast/contract/rules';
import { parseId, parseToken } from '../identity.js';
import { LIMITS } from '../limits.js';
import type { AckBatch, ExtendBatch, FailBatch, NoteBatch, ReleaseBatch, SettledBatch } from '../protocol/job-calls.js';
import { buffersOf } from '../protocol/payload-column.js';
import {
  AckBatchWriter,
  ExtendBatchWriter,
  FailBatchWriter,
  NoteBatchWriter,
  ReleaseBatchWriter,
  settleAnswerAt,
} from '../protocol/settle-batch.js';
import type { Batching } from './merged-calls.js';

interface LeaseWriter {
  readonly count: number;
  readonly weight: number;
  cutTo(count: number, weight: number): void;
}

/** Collects the items of a turn's calls that settle leases. Foreign ids become 0, which the engine answers as missing. */
abstract class SettleBatching<Item extends LeaseRef, Writer extends LeaseWriter, Batch>
  implements Batching<Item, Batch, SettledBatch, SettleAnswer>
{
  protected readonly writer: Writer;
  protected readonly method: string;
  readonly #storeTag: () => string;

  constructor(method: string, writer: Writer, storeTag: () => string) {
    this.method = method;
    this.writer = writer;
    this.#storeTag = storeTag;
  }

  get count(): number {
    return this.writer.count;
  }

  get weight(): number {
    return this.writer.weight;
  }

  begin(items: readonly Item[]): void {
    checkItems(this.method, items);
  }

  append(item: Item, index: number): void {
    checkLease(this.method, index, item);
    this.write(parseId(this.#storeTag(), item.id) ?? 0, parseToken(item.token), item, index);
  }

  cutTo(count: number, weight: number): void {
    this.writer.cutTo(count, weight);
  }

  abstract take(): { args: Batch; transfer: readonly ArrayBuffer[] };

  result(answer: SettledBatch, index: number): SettleAnswer {
    return settleAnswerAt(answer, index);
  }

  /** Checks what is peculiar to this kind of call, and adds it. */
  protected abstract write(id: number, token: number, item: Item, index: number): void;
}

export class AckBatching extends SettleBatching<AckItem, AckBatchWriter, AckBatch> {
  constructor(storeTag: () => string) {
    super('ack', new AckBatchWriter(), storeTag);
  }

  override begin(items: readonly AckItem[]): void {
    checkAck(items);
  }

  take(): { args: AckBatch; transfer: readonly ArrayBuffer[] } {
    const args = this.writer.take();
    return { args, transfer: buffersOf(args.results) };
  }

  protected write(id: number, token: number, item: AckItem, index: number): void {
    const { result } = item;
    checkResult(index, result);
    this.writer.add(id, token, result);
  }
}

export class FailBatching extends SettleBatching<FailItem, FailBatchWriter, FailBatch> {
  constructor(storeTag: () => string) {
    super('fail', new FailBatchWriter(), storeTag);
  }

  take(): { args: FailBatch; transfer: readonly ArrayBuffer[] } {
    return { args: this.writer.take(), transfer: [] };
  }

  protected write(id: number, token: number, item: FailItem, index: number): void {
    this.writer.add(id, token, shortened(item.error), checkedThen(item.then, index));
  }
}

export class ReleaseBatching extends SettleBatching<ReleaseItem, ReleaseBatchWriter, ReleaseBatch> {
  constructor(storeTag: () => string) {
    super('release', new ReleaseBatchWriter(), storeTag);
  }

  take(): { args: ReleaseBatch; transfer: readonly ArrayBuffer[] } {
    return { args: this.writer.take(), transfer: [] };
  }

  protected write(id: number, token: number, item: ReleaseItem, index: number): void {
    const delayMs = item.delayMs ?? 0;
    this.writer.add(id, token, checkedMs(`release[${index}].delayMs`, delayMs, 0, LIMITS.delayMsMax));
  }
}

export class ExtendBatching extends SettleBatching<ExtendItem, ExtendBatchWriter, ExtendBatch> {
  constructor(storeTag: () => string) {
    super('extend', new ExtendBatchWriter(), storeTag);
  }

  take(): { args: ExtendBatch; transfer: readonly ArrayBuffer[] } {
    return { args: this.writer.take(), transfer: [] };
  }

  protected write(id: number, token: number, item: ExtendItem, index: number): void {
    const { leaseMs } = item;
    this.writer.add(id, token, checkedMs(`extend[${index}].leaseMs`, leaseMs, LIMITS.leaseMsMin, LIMITS.leaseMsMax));
  }
}

export class NoteBatching extends SettleBatching<NoteItem, NoteBatchWriter, NoteBatch> {
  constructor(storeTag: () => string) {
    super('note', new NoteBatchWriter(), storeTag);
  }

  take(): { args: NoteBatch; transfer: readonly ArrayBuffer[] } {
    return { args: this.writer.take(), transfer: [] };
  }

  protected write(id: number, token: number, item: NoteItem, index: number): void {
    this.writer.add(id, token, checkedNote(index, item));
  }
}
