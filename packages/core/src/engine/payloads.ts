import type { Payload } from '@holdfast/contract';
import type { JobExtras } from '@holdfast/contract/rules';
import type { SegmentedLog } from '../log/segmented-log.js';
import type { CloneOrigin } from '../state/enqueue-options.js';
import {
  decodeCloneOrigin,
  decodeDedupe,
  decodeExtras,
  decodePayload,
  enqueueBodyBytes,
} from '../state/enqueue-record.js';
import type { JobTable } from '../state/job-table.js';
import { decodeMove } from '../state/move-record.js';
import { type RecordBody, RecordError, readU64 } from '../state/record-body.js';
import { RECORD } from '../state/record-kinds.js';
import { decodingAt } from './corrupt-record.js';
import { RECORD_HEAD_BYTES } from './record-head.js';

const FIRST_IDS = 1024;
/** Ids that the window spans at most: what it costs when one old job stays in it. */
const IDS_MAX = 2 ** 20;
/** What a remembered payload costs beside its bytes. */
const ENTRY_BYTES = 64;

/** A payload with what few jobs carry beside it. */
export class LadenPayload {
  readonly payload: Payload;
  readonly extras: JobExtras;

  constructor(payload: Payload, extras: JobExtras) {
    this.payload = payload;
    this.extras = extras;
  }
}

type Kept = Payload | LadenPayload;

/**
 * Payloads live on the disk. Those of the youngest jobs are also kept in memory, as they were given, up to a number of
 * bytes: a ring over the ids, which are dense and rising, so that neither a put nor a look-up costs more than an index.
 */
export class Payloads {
  readonly #table: JobTable;
  readonly #log: Pick<SegmentedLog, 'readRecord'>;
  readonly #bytesMax: number;
  #kept: (Kept | undefined)[] = new Array(FIRST_IDS).fill(undefined);
  #sizes = new Uint32Array(FIRST_IDS);
  #bytes = 0;
  /** Ids of the window: from the first to below the end. */
  #firstId = 0;
  #endId = 0;

  constructor(table: JobTable, log: Pick<SegmentedLog, 'readRecord'>, bytesMax: number) {
    this.#table = table;
    this.#log = log;
    this.#bytesMax = bytesMax;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Remembers the payload of the newest job. Bytes are copied: the caller may go on to use its buffer. */
  put(id: number, payload: Payload, payloadBytes: number, extras?: JobExtras): void {
    if (this.#firstId === this.#endId) this.#firstId = id;
    // The window ends before this id until there is a place for it: making room must not pass over it.
    this.#endId = id;
    while (id - this.#firstId >= this.#kept.length) this.#widen();
    this.#endId = id + 1;
    const place = id & (this.#kept.length - 1);
    const own = typeof payload === 'string' ? payload : payload.slice();
    this.#kept[place] = extras === undefined ? own : new LadenPayload(own, extras);
    this.#sizes[place] = payloadBytes + ENTRY_BYTES;
    this.#bytes += payloadBytes + ENTRY_BYTES;
    while (this.#bytes > this.#bytesMax) this.drop(this.#firstId);
  }

  /** Forgets the payload of a job that will not be claimed again. */
  drop(id: number): void {
    if (id < this.#firstId || id >= this.#endId) return;
    const mask = this.#kept.length - 1;
    const place = id & mask;
    if (this.#kept[place] !== undefined) {
      this.#kept[place] = undefined;
      this.#bytes -= this.#sizes[place]!;
    }
    while (this.#firstId < this.#endId && this.#kept[this.#firstId & mask] === undefined) this.#firstId++;
  }

  /** The payload, with what the job carries beside it if there is anything. @throws LogCorruptError if the record on the disk is damaged */
  of(slot: number): Payload | LadenPayload {
    const id = this.#table.columns.id[slot]!;
    const kept = id >= this.#firstId && id < this.#endId ? this.#kept[id & (this.#kept.length - 1)] : undefined;
    return kept ?? this.#read(slot, id, decodeKept);
  }

  /** What the job carries beside its payload. @throws LogCorruptError if the record on the disk is damaged */
  extrasOf(slot: number): JobExtras | undefined {
    return this.#isPlain(slot) ? undefined : extrasIn(this.of(slot));
  }

  /** The key that it was enqueued with, if it has one. @throws LogCorruptError if the record on the disk is damaged */
  keyOf(slot: number): string | undefined {
    if (this.#isPlain(slot)) return undefined;
    return this.#table.keys.keyOf(slot) ?? this.#read(slot, this.#table.columns.id[slot]!, decodeDedupe)?.key;
  }

  /** From which job it was cloned, if it was. @throws LogCorruptError if the record on the disk is damaged */
  originOf(slot: number): CloneOrigin | undefined {
    return this.#isPlain(slot) ? undefined : this.#read(slot, this.#table.columns.id[slot]!, decodeCloneOrigin);
  }

  /** Known without a look at the disk: its record holds no options. */
  #isPlain(slot: number): boolean {
    const { columns } = this.#table;
    const { template } = this.#table.shapeOf(slot);
    const plainBytes = RECORD_HEAD_BYTES + enqueueBodyBytes(template, columns.payloadBytes.at(slot));
    return columns.enqueueBytes.at(slot) === plainBytes;
  }

  #read<Value>(slot: number, id: number, decode: (body: RecordBody) => Value): Value {
    const { columns } = this.#table;
    const location = columns.enqueueLocation[slot]!;
    const record = this.#log.readRecord(location, columns.enqueueBytes.at(slot));
    return decodingAt(location, () => {
      const body = record.kind === RECORD.move ? decodeMove(record).enqueue : record;
      if (readU64(body.view, body.offset) !== id) throw new RecordError('belongs to another job');
      return decode(body);
    });
  }

  #widen(): void {
    if (this.#kept.length === IDS_MAX) {
      this.drop(this.#firstId);
      return;
    }
    const ids = this.#kept.length * 2;
    const kept: (Kept | undefined)[] = new Array(ids).fill(undefined);
    const sizes = new Uint32Array(ids);
    const mask = this.#kept.length - 1;
    for (let id = this.#firstId; id < this.#endId; id++) {
      kept[id & (ids - 1)] = this.#kept[id & mask];
      sizes[id & (ids - 1)] = this.#sizes[id & mask]!;
    }
    this.#kept = kept;
    this.#sizes = sizes;
  }
}

export function payloadIn(kept: Payload | LadenPayload): Payload {
  return kept instanceof LadenPayload ? kept.payload : kept;
}

export function extrasIn(kept: Payload | LadenPayload): JobExtras | undefined {
  return kept instanceof LadenPayload ? kept.extras : undefined;
}

function decodeKept(body: RecordBody): Kept {
  const payload = decodePayload(body);
  const extras = decodeExtras(body);
  return extras === undefined ? payload : new LadenPayload(payload, extras);
}
